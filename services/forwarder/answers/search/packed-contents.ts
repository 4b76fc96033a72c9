import { createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { compressedTexts } from "./compressed-rtf.ts";
import { rtfText } from "./rtf-text.ts";
import { xmlTexts } from "./xml-texts.ts";

/** What is unpacked of one attachment. */
const unpackedLimitBytes = 4 * 1024 * 1024;
const entryLimit = 2_000;

const localHeader = Buffer.from("PK\u0003\u0004", "latin1");
const centralHeader = Buffer.from("PK\u0001\u0002", "latin1");
/** RFC 1952 section 2.3.1, of what is deflated. */
const gzipHeader = Buffer.from("1f8b08", "hex");
const [stored, deflated] = [0, 8];
/** Of an entry's flags (APPNOTE 4.4.4). */
const encryptedFlag = 1;
const centralHeaderBytes = 46;
const localHeaderBytes = 30;
const mediaName = /\.(?:png|jpe?g|gif|tiff?|bmp|webp|heic|emf|wmf|mp[34]|m4[av]|mov|avi|mkv|webm|wav|ogg)$/i;
const pictureDictionary = /\/Subtype\s*\/Image\b/;
const dictionaryBytes = 1_024;
/** Of a file, for what it is. */
const beginningBytes = 64;
/** In the trailer of a PDF file (ISO 32000-1 section 7.6.1). */
const pdfEncryption = /\/Encrypt\s*(?:<<|\d+\s+\d+\s+R)/;
/** Of Office ([MS-CFB] section 2.2, [MS-OFFCRYPTO] section 2.3.4.4). */
const compoundFile = Buffer.from("d0cf11e0a1b11ae1", "hex");
const encryptedPackage = Buffer.from("EncryptedPackage", "utf16le");

export interface PackedContent {
  readonly bytes: Buffer;
  /** False where more is packed than is unpacked. */
  readonly isWhole: boolean;
  /** Nobody can search it. */
  readonly isEncrypted: boolean;
}

interface Entry {
  readonly data: Buffer;
  readonly isMedia: boolean;
  /** Undefined for what is not compressed. */
  readonly inflate?: typeof createInflate | typeof createGunzip;
  /** Encrypted, or compressed in a way that is not undone. */
  readonly sealed?: "encrypted" | "unknown";
}

/**
 * What is compressed within an attachment: the entries of a ZIP file, which office documents are as well (APPNOTE 4.3), the streams of a
 * PDF file (ISO 32000-1 section 7.3.8), a file of gzip, and texts of Outlook. Of markup and RTF the text alone besides, also where the
 * attachment itself is such, since programs split words over elements.
 * Pictures, sound and films come last, as far as there is room. None for other files, and nothing of what is broken; of what is encrypted,
 * that it is.
 */
export async function* packedContents(attachment: Buffer): AsyncGenerator<PackedContent> {
  if (isEncryptedFile(attachment)) yield { ...nothing, isEncrypted: true };
  yield* shownTexts(attachment);
  const { entries, isCut } = entriesOf(attachment);
  let room = unpackedLimitBytes;
  for (const entry of [...entries.filter((each) => !each.isMedia), ...entries.filter((each) => each.isMedia)]) {
    if (entry.isMedia && room === 0) break;
    const unpacked = await unpack(entry, room);
    const { bytes } = unpacked;
    const isWhole = unpacked.isWhole || entry.isMedia;
    room -= bytes.length;
    yield { ...unpacked, isWhole };
    for (const text of textsOf(bytes)) yield { ...nothing, bytes: text, isWhole };
    if (!isWhole) return;
  }
  if (isCut) yield { ...nothing, isWhole: false };
  for (const bytes of compressedTexts(attachment, room)) {
    room -= bytes.length;
    yield { ...nothing, bytes, isWhole: room > 0 };
    for (const text of textsOf(bytes)) yield { ...nothing, bytes: text };
  }
}

/** What an attachment shows that is markup or RTF itself. */
function* shownTexts(attachment: Buffer): Generator<PackedContent> {
  if (
    !/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*(?:<|\{\\rtf)/.test(attachment.toString("latin1", 0, beginningBytes))
  )
    return;
  const isWhole = attachment.length <= unpackedLimitBytes;
  for (const bytes of textsOf(attachment.subarray(0, unpackedLimitBytes))) yield { ...nothing, bytes, isWhole };
}

function textsOf(bytes: Buffer): Buffer[] {
  const rtf = rtfText(bytes);
  if (rtf !== undefined) return [Buffer.from(rtf, "utf8")];
  return bytes.includes(0x3c) ? textsOfMarkup(bytes) : [];
}

function textsOfMarkup(bytes: Buffer): Buffer[] {
  const texts = xmlTexts(bytes);
  if (texts.length > 0) return texts.map((text) => Buffer.from(text, "utf8"));
  return [Buffer.from(bytes.toString("latin1").replaceAll(/<[^<>]*>/g, ""), "latin1")];
}

/** No more than are looked at. */
function entriesOf(attachment: Buffer): { entries: Entry[]; isCut: boolean } {
  if (attachment.subarray(0, gzipHeader.length).equals(gzipHeader))
    return { entries: [{ data: attachment, isMedia: false, inflate: createGunzip }], isCut: false };
  const isZip = attachment.subarray(0, 4).equals(localHeader);
  const entries: Entry[] = [];
  for (const entry of isZip ? zipEntries(attachment) : pdfStreams(attachment)) {
    if (entries.length === entryLimit) return { entries, isCut: true };
    entries.push(entry);
  }
  return { entries, isCut: false };
}

const nothing: PackedContent = { bytes: Buffer.alloc(0), isWhole: true, isEncrypted: false };

/** A PDF file, or a document of Office, that asks for a password. */
function isEncryptedFile(bytes: Buffer): boolean {
  if (isPdf(bytes)) return pdfEncryption.test(bytes.toString("latin1"));
  return bytes.subarray(0, compoundFile.length).equals(compoundFile) && bytes.includes(encryptedPackage);
}

function* zipEntries(bytes: Buffer): Generator<Entry> {
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
    const entry = { data: bytes.subarray(start, start + sizeBytes), isMedia: mediaName.test(name) };
    if ((flags & encryptedFlag) !== 0) yield { ...entry, sealed: "encrypted" };
    else if (method === deflated) yield { ...entry, inflate: createInflateRaw };
    else yield method === stored ? entry : { ...entry, sealed: "unknown" };
  }
}

function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 1_024).includes("%PDF-");
}

function* pdfStreams(bytes: Buffer): Generator<Entry> {
  if (!isPdf(bytes)) return;
  for (let at = bytes.indexOf("stream"); at !== -1; at = bytes.indexOf("stream", at)) {
    const start = bytes[at + 6] === 0x0d ? at + 8 : at + 7;
    const end = bytes.indexOf("endstream", start);
    if (end === -1) return;
    const before = bytes.toString("latin1", Math.max(0, at - dictionaryBytes), at);
    const isMedia = pictureDictionary.test(before.slice(before.lastIndexOf(" obj") + 1));
    yield { data: bytes.subarray(start, end), isMedia, inflate: createInflate };
    at = end + "endstream".length;
  }
}

/** What is compressed with zlib (RFC 1950), as far as packed contents are. */
export function inflated(data: Buffer): Promise<PackedContent> {
  return unpack({ data, isMedia: false, inflate: createInflate }, unpackedLimitBytes);
}

/** As much as there is room; of what is broken what comes before it shows. */
async function unpack({ data, inflate, sealed }: Entry, room: number): Promise<PackedContent> {
  if (sealed) return sealed === "encrypted" ? { ...nothing, isEncrypted: true } : { ...nothing, isWhole: false };
  if (!inflate) return { ...nothing, bytes: data.subarray(0, room), isWhole: data.length <= room };
  const inflating = inflate();
  inflating.end(data);
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of inflating as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length > room) break;
    }
  } catch (error) {
    // Of zlib alone: what is not deflated, or is broken.
    if (typeof error !== "object" || error === null || !("code" in error)) throw error;
  }
  return { ...nothing, bytes: Buffer.concat(pieces).subarray(0, room), isWhole: length <= room };
}
