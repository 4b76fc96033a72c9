// uuencode: POSIX.1 "uuencode", as the Content-Transfer-Encoding x-uuencode of mail before MIME was everywhere.

import { type ByteDecoder, nothing } from "./decoder.ts";

const [lineFeed, carriageReturn] = [0x0a, 0x0d];
/** A length of 63 bytes in 84 characters; some encoders add a checksum. */
const lineLimitBytes = 128;

/** Decodes what stands between "begin" and "end". Lines that are none of the form are left out. */
export class UuencodeDecoder implements ByteDecoder {
  readonly #line = Buffer.allocUnsafe(lineLimitBytes);
  #lineSize = 0;
  #state: "before" | "within" | "after" = "before";
  #decoded: Buffer = nothing;
  #size = 0;

  write(bytes: Buffer): Buffer {
    this.#decoded = Buffer.allocUnsafe(bytes.length + lineLimitBytes);
    this.#size = 0;
    for (const byte of bytes) {
      if (byte === lineFeed) this.#endLine();
      else this.#addToLine(byte);
    }
    return this.#decoded.subarray(0, this.#size);
  }

  end(): Buffer {
    this.#decoded = Buffer.allocUnsafe(lineLimitBytes);
    this.#size = 0;
    this.#endLine();
    return this.#decoded.subarray(0, this.#size);
  }

  #addToLine(byte: number): void {
    if (this.#lineSize < lineLimitBytes) this.#line[this.#lineSize] = byte;
    this.#lineSize += 1;
  }

  #endLine(): void {
    const isWhole = this.#lineSize <= lineLimitBytes;
    let line = this.#line.subarray(0, Math.min(this.#lineSize, lineLimitBytes));
    if (line.at(-1) === carriageReturn) line = line.subarray(0, -1);
    this.#lineSize = 0;
    if (this.#state === "before") {
      if (/^begin [0-7]{3,4} /.test(line.toString("latin1", 0, 20))) this.#state = "within";
    } else if (this.#state === "within") {
      if (line.toString("latin1") === "end") this.#state = "after";
      else if (isWhole && line.length > 0) this.#decodeLine(line);
    }
  }

  #decodeLine(line: Buffer): void {
    const length = sixBits(line[0]);
    if (length * 4 > (line.length - 1 + 3) * 3) return;
    const end = this.#size + length;
    for (let at = 1; this.#size < end; at += 4) {
      const [a, b, c, d] = [sixBits(line[at]), sixBits(line[at + 1]), sixBits(line[at + 2]), sixBits(line[at + 3])];
      this.#put((a << 2) | (b >> 4), end);
      this.#put(((b & 15) << 4) | (c >> 2), end);
      this.#put(((c & 3) << 6) | d, end);
    }
  }

  #put(byte: number, end: number): void {
    if (this.#size === end) return;
    this.#decoded[this.#size] = byte;
    this.#size += 1;
  }
}

/** A space and a grave accent both stand for 0; trailing spaces are lost on the way. */
function sixBits(byte: number | undefined): number {
  return byte === undefined ? 0 : (byte - 0x20) & 63;
}
