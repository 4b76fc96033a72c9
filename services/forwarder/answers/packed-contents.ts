import { inflateRawSync, inflateSync } from "node:zlib";

/** What is unpacked of one attachment; what is beyond is not searched. */
const unpackedLimitBytes = 4 * 1024 * 1024;
const streamLimit = 500;

const localHeader = Buffer.from("PK\u0003\u0004", "latin1");
const centralHeader = Buffer.from("PK\u0001\u0002", "latin1");
const [stored, deflated] = [0, 8];
const centralHeaderBytes = 46;
const localHeaderBytes = 30;

/**
 * What is compressed within an attachment: the entries of a ZIP file, which office documents are as well (APPNOTE 4.3), and the streams of a
 * PDF file (ISO 32000-1 section 7.3.8). Of markup the text alone besides, since programs split words over elements. None for other files, and
 * nothing of what is encrypted or broken.
 */
export function* packedContents(bytes: Buffer): Generator<Buffer> {
  const packed = bytes.subarray(0, 4).equals(localHeader) ? zipEntries(bytes) : pdfStreams(bytes);
  let room = unpackedLimitBytes;
  for (const unpack of packed) {
    const content = unpacked(unpack, room);
    if (!content) continue;
    room -= content.length;
    yield content;
    if (content.includes(0x3c)) yield Buffer.from(content.toString("latin1").replaceAll(/<[^<>]*>/g, ""), "latin1");
    if (room <= 0) return;
  }
}

type Unpack = (maxOutputLength: number) => Buffer;

function* zipEntries(bytes: Buffer): Generator<Unpack> {
  let count = 0;
  for (
    let at = bytes.indexOf(centralHeader);
    at !== -1 && count < streamLimit;
    at = bytes.indexOf(centralHeader, at + 4)
  ) {
    if (at + centralHeaderBytes > bytes.length) return;
    count += 1;
    const [method, sizeBytes, local] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 42),
    ];
    if (local + localHeaderBytes > bytes.length || !bytes.subarray(local, local + 4).equals(localHeader)) continue;
    const start = local + localHeaderBytes + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = bytes.subarray(start, start + sizeBytes);
    if (method === stored) yield (limit) => data.subarray(0, limit);
    if (method === deflated) yield (maxOutputLength) => inflateRawSync(data, { maxOutputLength });
  }
}

function* pdfStreams(bytes: Buffer): Generator<Unpack> {
  if (!bytes.subarray(0, 1_024).includes("%PDF-")) return;
  let count = 0;
  for (let at = bytes.indexOf("stream"); at !== -1 && count < streamLimit; at = bytes.indexOf("stream", at)) {
    count += 1;
    const start = bytes[at + 6] === 0x0d ? at + 8 : at + 7;
    const end = bytes.indexOf("endstream", start);
    if (end === -1) return;
    yield (maxOutputLength) => inflateSync(bytes.subarray(start, end), { maxOutputLength });
    at = end + "endstream".length;
  }
}

/** Undefined for what cannot be unpacked within the room. */
function unpacked(unpack: Unpack, room: number): Buffer | undefined {
  try {
    return unpack(room);
  } catch (error) {
    // Of zlib: data that is broken, encrypted, or too much.
    if (typeof error === "object" && error !== null && "code" in error) return undefined;
    throw error;
  }
}
