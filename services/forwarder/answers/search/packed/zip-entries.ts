// ZIP files, which office documents are as well: APPNOTE 4.3.

import { createInflateRaw } from "node:zlib";
import type { Entry } from "./entry.ts";
import { fromIworkComponent } from "./iwork-component.ts";

const localHeader = Buffer.from("PK\u0003\u0004", "latin1");
const centralHeader = Buffer.from("PK\u0001\u0002", "latin1");
const endRecord = Buffer.from("PK\u0005\u0006", "latin1");
const [stored, deflated] = [0, 8];
/** Of an entry's flags (APPNOTE 4.4.4). */
const encryptedFlag = 1;
const centralHeaderBytes = 46;
const localHeaderBytes = 30;
const mediaName = /\.(?:png|jpe?g|gif|tiff?|bmp|webp|heic|emf|wmf|mp[34]|m4[av]|mov|avi|mkv|webm|wav|ogg)$/i;

/** The end of the file is this record at most, with a comment (APPNOTE 4.3.16). */
const longestEnd = 22 + 65_535;

/** By its beginning, or by its end where a program that opens it stands before it. */
export function isZip(bytes: Buffer): boolean {
  return beginsWith(bytes, 0, localHeader) || startBeforeEnd(bytes) !== undefined;
}

export function* zipEntries(bytes: Buffer): Generator<Entry> {
  const start = startBeforeEnd(bytes) ?? 0;
  for (let at = bytes.indexOf(centralHeader); at !== -1; at = bytes.indexOf(centralHeader, at + 4)) {
    if (at + centralHeaderBytes > bytes.length) return;
    const [flags, method, sizeBytes, nameBytes, place] = [
      bytes.readUInt16LE(at + 8),
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42),
    ];
    // Some programs count from the beginning of the file.
    const local = [start + place, place].find((each) => beginsWith(bytes, each, localHeader));
    if (local === undefined || local + localHeaderBytes > bytes.length) continue;
    const name = bytes.toString("latin1", at + centralHeaderBytes, at + centralHeaderBytes + nameBytes);
    const from = local + localHeaderBytes + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const isEncrypted = (flags & encryptedFlag) !== 0;
    const packing: Packing = isEncrypted ? { sealed: "encrypted" } : packingOf(method, name);
    yield { data: bytes.subarray(from, from + sizeBytes), isMedia: isMediaName(name), ...packing };
  }
}

type Packing = Pick<Entry, "inflate" | "sealed" | "decode">;

function packingOf(method: number, name: string): Packing {
  if (method === deflated) return { inflate: createInflateRaw };
  if (method !== stored) return { sealed: "unknown" };
  return name.endsWith(".iwa") ? { decode: fromIworkComponent } : {};
}

/** What the places of its entries count from, as the record at its end says; undefined where there is none. */
function startBeforeEnd(bytes: Buffer): number | undefined {
  const tail = Math.max(0, bytes.length - longestEnd);
  const end = bytes.subarray(tail).lastIndexOf(endRecord) + tail;
  if (end < tail || end + 22 > bytes.length) return undefined;
  const [sizeBytes, place] = [bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)];
  const central = end - sizeBytes;
  return beginsWith(bytes, central, centralHeader) ? Math.max(0, central - place) : undefined;
}

function beginsWith(bytes: Buffer, at: number, signature: Buffer): boolean {
  return at >= 0 && bytes.subarray(at, at + signature.length).equals(signature);
}

/** Pictures, sound and films, by the name of a file. */
export function isMediaName(name: string): boolean {
  return mediaName.test(name);
}
