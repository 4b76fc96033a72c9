import { deflateSync } from "node:zlib";

// Messages of S/MIME as programs pack them: CMS (RFC 5652, RFC 3274) in DER, or in BER with lengths that are not known beforehand.

function tagged(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length);
  return Buffer.concat([Buffer.from([tag, 0x84]), size, content]);
}

function open(tag: number, ...contents: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([tag, 0x80]), ...contents, Buffer.alloc(2)]);
}

const oid = (hex: string) => tagged(0x06, Buffer.from(hex, "hex"));
const data = oid("2a864886f70d010701");
const version = Buffer.from("020100", "hex");

/** An OCTET STRING, in one or in pieces. */
export function octets(content: Buffer, pieceBytes?: number): Buffer {
  if (pieceBytes === undefined) return tagged(0x04, content);
  const pieces: Buffer[] = [];
  for (let at = 0; at < content.length; at += pieceBytes)
    pieces.push(tagged(0x04, content.subarray(at, at + pieceBytes)));
  return open(0x24, ...pieces);
}

/** @param content an OCTET STRING */
export function compressedData(content: Buffer): Buffer {
  const algorithm = tagged(0x30, oid("2a864886f70d0109100308"));
  const compressed = open(0x30, version, algorithm, open(0x30, data, open(0xa0, content)));
  return open(0x30, oid("2a864886f70d0109100109"), open(0xa0, compressed));
}

export function compressed(text: string, pieceBytes?: number): Buffer {
  return compressedData(octets(deflateSync(text), pieceBytes));
}

export function signedData(signed: string | Buffer, pieceBytes?: number): Buffer {
  const bytes = typeof signed === "string" ? Buffer.from(signed) : signed;
  const digests = tagged(0x31);
  const content = tagged(0x30, data, tagged(0xa0, octets(bytes, pieceBytes)));
  return tagged(0x30, oid("2a864886f70d010702"), tagged(0xa0, tagged(0x30, version, digests, content, tagged(0x31))));
}
