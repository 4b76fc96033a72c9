// ZIP files, which office documents are as well: APPNOTE 4.3.

import { createInflateRaw } from "node:zlib";
import type { Entry } from "./entry.ts";

export const localHeader = Buffer.from("PK\u0003\u0004", "latin1");
const centralHeader = Buffer.from("PK\u0001\u0002", "latin1");
const [stored, deflated] = [0, 8];
/** Of an entry's flags (APPNOTE 4.4.4). */
const encryptedFlag = 1;
const centralHeaderBytes = 46;
const localHeaderBytes = 30;
const mediaName = /\.(?:png|jpe?g|gif|tiff?|bmp|webp|heic|emf|wmf|mp[34]|m4[av]|mov|avi|mkv|webm|wav|ogg)$/i;

export function* zipEntries(bytes: Buffer): Generator<Entry> {
  for (let at = bytes.indexOf(centralHeader); at !== -1; at = bytes.indexOf(centralHeader, at + 4)) {
    if (at + centralHeaderBytes > bytes.length) return;
    const [flags, method, sizeBytes, nameBytes, local] = [
      bytes.readUInt16LE(at + 8),
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42),
    ];
    if (local + localHeaderBytes > bytes.length || !bytes.subarray(local, local + 4).equals(localHeader)) continue;
    const name = bytes.toString("latin1", at + centralHeaderBytes, at + centralHeaderBytes + nameBytes);
    const start = local + localHeaderBytes + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const entry = { data: bytes.subarray(start, start + sizeBytes), isMedia: isMediaName(name) };
    if ((flags & encryptedFlag) !== 0) yield { ...entry, sealed: "encrypted" };
    else if (method === deflated) yield { ...entry, inflate: createInflateRaw };
    else yield method === stored ? entry : { ...entry, sealed: "unknown" };
  }
}

/** Pictures, sound and films, by the name of a file. */
export function isMediaName(name: string): boolean {
  return mediaName.test(name);
}
