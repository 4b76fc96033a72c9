import { createGunzip, createInflate } from "node:zlib";
import { compressedTexts } from "./compressed-rtf.ts";
import type { Entry } from "./packed/entry.ts";
import { glyphTexts } from "./packed/pdf-glyphs.ts";
import type { PdfPiece } from "./packed/pdf-objects.ts";
import { isEncryptedPdf, isPdf, pdfStreams } from "./packed/pdf-streams.ts";
import { pdfText } from "./packed/pdf-strings.ts";
import { Room } from "./packed/room.ts";
import { isTar, tarEntries } from "./packed/tar-entries.ts";
import { tnefFiles, tnefSignature } from "./packed/tnef-files.ts";
import { isZip, zipEntries } from "./packed/zip-entries.ts";
import { rtfText } from "./rtf-text.ts";
import { xmlTexts } from "./xml-texts.ts";

/** Of an attachment that is markup itself. */
const markupLimitBytes = 4 * 1024 * 1024;
/** RFC 1952 section 2.3.1, of what is deflated. */
const gzipHeader = Buffer.from("1f8b08", "hex");
/** 7z, RAR, xz, bzip2, lzip, LZ4, zstd, cabinets and LHA: forms that are not undone. */
const otherArchive =
  /^(?:377abcaf271c|526172211a07|fd377a585a00|425a683[1-9](?:314159|177245)|4c5a4950|04224d18|28b52ffd|4d53434600000000|.{4}2d6c68)/;
/** Of a file, for what it is. */
const beginningBytes = 64;
/** Of Office ([MS-CFB] section 2.2, [MS-OFFCRYPTO] section 2.3.4.4). */
const compoundFile = Buffer.from("d0cf11e0a1b11ae1", "hex");
const encryptedPackage = Buffer.from("EncryptedPackage", "utf16le");

export interface PackedContent {
  readonly bytes: Buffer;
  /** False where more is packed than is unpacked. */
  readonly isWhole: boolean;
  /** Nobody can search it. */
  readonly isEncrypted: boolean;
  /** It may have others packed in it. */
  readonly isFile: boolean;
}

/**
 * What is compressed within an attachment: the entries of a ZIP file, which office documents are as well (APPNOTE 4.3), the streams of a
 * PDF file (ISO 32000-1 section 7.3.8), its strings and what they show in glyphs of a font, the files in tar and in winmail.dat, a file of gzip, and texts of Outlook.
 * Of markup and RTF the text alone besides, also where the attachment itself is such, since programs split words over elements.
 * Pictures, sound and films come last, as far as there is room. None for other files, and nothing of what is broken; of what is encrypted,
 * that it is, and of archives in other forms, that they are not whole.
 * @param isNested an entry of another file: what it shows was given with it
 */
export async function* packedContents(
  attachment: Buffer,
  room = new Room(),
  isNested = false,
): AsyncGenerator<PackedContent> {
  if (isEncryptedFile(attachment)) yield { ...nothing, isEncrypted: true };
  if (!isNested) yield* shownTexts(attachment);
  yield* entryContents(attachment, room);
  for (const bytes of compressedTexts(attachment, room.bytes)) {
    room.take(bytes.length);
    yield { ...nothing, bytes, isWhole: room.bytes > 0 };
    for (const text of await shownIn(bytes)) yield { ...nothing, bytes: text };
  }
}

async function* entryContents(attachment: Buffer, room: Room): AsyncGenerator<PackedContent> {
  const { entries, isCut } = await entriesOf(attachment, room);
  const pdfPieces: PdfPiece[] = [];
  for (const entry of [...entries.filter((each) => !each.isMedia), ...entries.filter((each) => each.isMedia)]) {
    if (entry.isMedia && room.bytes === 0) break;
    const unpacked = entry.isOpen ? { ...nothing, bytes: entry.data } : await unpack(entry, room);
    const isWhole = unpacked.isWhole || entry.isMedia;
    if (!entry.isOpen) yield { ...unpacked, isWhole, isFile: true };
    for (const text of await textsOf(unpacked.bytes, entry)) yield { ...nothing, bytes: text };
    if (!isWhole) return;
    pdfPieces.push(...pdfPieceOf(entry, unpacked.bytes));
  }
  for await (const { text, isWhole } of glyphTexts(pdfPieces)) yield { ...nothing, bytes: text, isWhole };
  if (isCut) yield { ...nothing, isWhole: false };
}

function pdfPieceOf({ pdf, isMedia }: Entry, bytes: Buffer): PdfPiece[] {
  return pdf && !isMedia ? [{ bytes, dictionary: pdf.dictionary }] : [];
}

/** Whether it is a file that has others packed in it, by how it begins. */
export function isPacked(bytes: Buffer): boolean {
  return formOf(bytes) !== undefined;
}

/** What an attachment shows that is markup or RTF itself. */
async function* shownTexts(attachment: Buffer): AsyncGenerator<PackedContent> {
  if (
    !/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*(?:<|\{\\rtf)/.test(attachment.toString("latin1", 0, beginningBytes))
  )
    return;
  const isWhole = attachment.length <= markupLimitBytes;
  for (const bytes of await shownIn(attachment.subarray(0, markupLimitBytes))) yield { ...nothing, bytes, isWhole };
}

async function textsOf(bytes: Buffer, { pdf, isOpen }: Entry): Promise<Buffer[]> {
  const strings = pdf ? await pdfText(bytes) : nothing.bytes;
  return [...(strings.length > 0 ? [strings] : []), ...(isOpen ? [] : await shownIn(bytes))];
}

async function shownIn(bytes: Buffer): Promise<Buffer[]> {
  const rtf = await rtfText(bytes);
  if (rtf !== undefined) return [Buffer.from(rtf, "utf8")];
  return bytes.includes(0x3c) ? textsOfMarkup(bytes) : [];
}

async function textsOfMarkup(bytes: Buffer): Promise<Buffer[]> {
  const texts = await xmlTexts(bytes);
  if (texts.length > 0) return texts.map((text) => Buffer.from(text, "utf8"));
  return [Buffer.from(bytes.toString("latin1").replaceAll(/<[^<>]*>/g, ""), "latin1")];
}

type Form = (bytes: Buffer) => Iterable<Entry> | AsyncIterable<Entry>;

function formOf(bytes: Buffer): Form | undefined {
  const begins = (signature: Buffer) => bytes.subarray(0, signature.length).equals(signature);
  if (isZip(bytes)) return zipEntries;
  if (begins(gzipHeader)) return () => [{ data: bytes, isMedia: false, inflate: createGunzip }];
  if (begins(tnefSignature)) return tnefFiles;
  if (isTar(bytes)) return tarEntries;
  if (isPdf(bytes)) return pdfStreams;
  const isOther = otherArchive.test(bytes.toString("hex", 0, beginningBytes));
  return isOther ? () => [{ data: bytes, isMedia: false, sealed: "unknown" }] : undefined;
}

/** No more than are looked at. */
async function entriesOf(attachment: Buffer, room: Room): Promise<{ entries: Entry[]; isCut: boolean }> {
  const entries: Entry[] = [];
  for await (const entry of formOf(attachment)?.(attachment) ?? []) {
    if (!(entry.isOpen || room.takeEntry())) return { entries, isCut: true };
    entries.push(entry);
  }
  return { entries, isCut: false };
}

const nothing: PackedContent = { bytes: Buffer.alloc(0), isWhole: true, isEncrypted: false, isFile: false };

/** A PDF file, or a document of Office, that asks for a password. */
function isEncryptedFile(bytes: Buffer): boolean {
  if (isPdf(bytes)) return isEncryptedPdf(bytes);
  return bytes.subarray(0, compoundFile.length).equals(compoundFile) && bytes.includes(encryptedPackage);
}

/** What is compressed with zlib (RFC 1950), as far as packed contents are. */
export function inflated(data: Buffer, room: Room): Promise<PackedContent> {
  return unpack({ data, isMedia: false, inflate: createInflate }, room);
}

/** As much as there is room; of what is broken what comes before it shows. */
async function unpack({ data, inflate, sealed, decode }: Entry, room: Room): Promise<PackedContent> {
  if (sealed) return sealed === "encrypted" ? { ...nothing, isEncrypted: true } : { ...nothing, isWhole: false };
  const decoded = decode ? decode(data, room.bytes + 1) : data;
  const bytes = inflate ? await inflateInto(inflate(), decoded, room.bytes + 1) : decoded;
  const isWhole = bytes.length <= room.bytes && (!decode || decoded.length <= room.bytes);
  const kept = bytes.subarray(0, room.bytes);
  room.take(kept.length);
  return { ...nothing, bytes: kept, isWhole };
}

async function inflateInto(inflating: ReturnType<NonNullable<Entry["inflate"]>>, data: Buffer, room: number) {
  const pieces: Buffer[] = [];
  let length = 0;
  inflating.end(data);
  try {
    for await (const piece of inflating as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length >= room) break;
    }
  } catch (error) {
    // Of zlib alone: what is not deflated, or is broken.
    if (typeof error !== "object" || error === null || !("code" in error)) throw error;
  }
  return Buffer.concat(pieces);
}
