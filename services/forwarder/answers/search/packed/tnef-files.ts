// Outlook's winmail.dat: MS-OXTNEF section 2.1.3.

import type { Entry } from "./entry.ts";

export const tnefSignature = Buffer.from("789f3e22", "hex");
/** Behind the signature stands a key. */
const headerBytes = 6;
const attachedData = 0x0006800f;
/** Level, identifier and length stand before the data of an attribute, a checksum behind it. */
const [prefixBytes, checksumBytes] = [9, 2];

/** The files attached there. */
export function* tnefFiles(bytes: Buffer): Generator<Entry> {
  for (let at = headerBytes; at + prefixBytes <= bytes.length; ) {
    const [id, lengthBytes] = [bytes.readUInt32LE(at + 1), bytes.readUInt32LE(at + 5)];
    const start = at + prefixBytes;
    if (id === attachedData) yield { data: bytes.subarray(start, start + lengthBytes), isMedia: false };
    at = start + lengthBytes + checksumBytes;
  }
}
