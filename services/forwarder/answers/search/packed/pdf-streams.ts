// PDF files: ISO 32000-1.

import { createInflate } from "node:zlib";
import type { Entry } from "./entry.ts";

const dictionaryBytes = 1_024;
/** Before the keyword of an object stand its number and generation. */
const numbersBytes = 18;
const pictureDictionary = /\/Subtype\s*\/Image\b/;
/** How a stream is encoded, outermost first (section 7.4). */
const filterEntry = /\/Filter\s*(?:\/(\w{1,40})|\[([^\]]{0,400})\])/;
const pictureFilters = new Set(["DCTDecode", "JPXDecode", "CCITTFaxDecode", "JBIG2Decode"]);
/** In the trailer (section 7.6.1). */
const pdfEncryption = /\/Encrypt\s*(?:<<|\d+\s+\d+\s+R)/;
const [beginning, end] = ["stream", "endstream"];
const beginningBytes = 1_024;

export function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, beginningBytes).includes("%PDF-");
}

/** It asks for a password. */
export function isEncryptedPdf(bytes: Buffer): boolean {
  return pdfEncryption.test(bytes.toString("latin1"));
}

/** Streams, and what stands between them. */
export function* pdfStreams(bytes: Buffer): Generator<Entry> {
  let read = 0;
  for (let at = bytes.indexOf(beginning); at !== -1; at = bytes.indexOf(beginning, read)) {
    const from = bytes[at + beginning.length] === 0x0d ? at + beginning.length + 2 : at + beginning.length + 1;
    const to = bytes.indexOf(end, from);
    if (to === -1) break;
    yield openPart(bytes.subarray(read, at));
    const before = bytes.toString("latin1", Math.max(read, at - dictionaryBytes), at);
    yield* streamOf(bytes.subarray(from, to), before.slice(Math.max(0, before.lastIndexOf(" obj") - numbersBytes)));
    read = to + end.length;
  }
  yield openPart(bytes.subarray(read));
}

/** @param dictionary of a stream */
function openPart(data: Buffer, dictionary?: string): Entry {
  return { data, isMedia: false, isOpen: true, pdf: { dictionary } };
}

function* streamOf(data: Buffer, dictionary: string): Generator<Entry> {
  const [, one, several = ""] = filterEntry.exec(dictionary) ?? [];
  const filters = one === undefined ? [...several.matchAll(/\/(\w+)/g)].map(([, name = ""]) => name) : [one];
  const isMedia = pictureDictionary.test(dictionary) || filters.some((name) => pictureFilters.has(name));
  const inflated = { data, isMedia, inflate: createInflate, pdf: { dictionary } };
  const decode = decoders[filters[0] ?? ""];
  if (filters.length === 0) yield openPart(data, dictionary);
  // Some programs do not say that they deflated it.
  if (isMedia || filters.length === 0 || filters.join(" ") === "FlateDecode") yield inflated;
  else if (decode && filters.length === 1) yield { data, isMedia, decode, pdf: { dictionary } };
  else if (decode && filters.slice(1).join(" ") === "FlateDecode") yield { ...inflated, decode };
  else yield { data, isMedia, sealed: "unknown" };
}

/** Section 7.4.2. */
function fromHex(bytes: Buffer, room: number): Buffer {
  return Buffer.from(bytes.toString("latin1").replaceAll(/[^\da-f]/gi, ""), "hex").subarray(0, room);
}

/** Section 7.4.3: five characters are four octets, in base 85. */
function fromAscii85(bytes: Buffer, room: number): Buffer {
  const decoded = Buffer.alloc(Math.min(bytes.length * 4, room) + 4);
  let [value, count, length] = [0, 0, 0];
  for (const octet of bytes) {
    if (octet === 0x7e || length + 4 > decoded.length) break;
    if (octet === 0x7a && count === 0) length += 4;
    if (octet < 0x21 || octet > 0x75) continue;
    value = value * 85 + (octet - 0x21);
    count += 1;
    if (count < 5) continue;
    decoded.writeUInt32BE(value % 0x1_0000_0000, length);
    [value, count, length] = [0, 0, length + 4];
  }
  if (count < 2 || length + 4 > decoded.length) return decoded.subarray(0, length);
  for (let left = count; left < 5; left += 1) value = value * 85 + 84;
  decoded.writeUInt32BE(value % 0x1_0000_0000, length);
  return decoded.subarray(0, length + count - 1);
}

const decoders: Readonly<Record<string, Entry["decode"]>> = { ASCIIHexDecode: fromHex, ASCII85Decode: fromAscii85 };
