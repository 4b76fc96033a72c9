// Line ends of text: RFC 2046 section 4.1.1.

import { type ByteDecoder, nothing } from "./decoder.ts";

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** Makes CR LF the LF that it stands for, in text of any charset whose characters below 128 are those of ASCII. */
export class LineEndDecoder implements ByteDecoder {
  /** Whether the last byte was a CR that has not been given on. */
  #holdsReturn = false;

  write(bytes: Buffer): Buffer {
    if (!this.#holdsReturn && !bytes.includes(carriageReturn)) return bytes;
    const decoded = Buffer.allocUnsafe(bytes.length + 1);
    let size = 0;
    let holdsReturn = this.#holdsReturn;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (holdsReturn && byte !== lineFeed) {
        decoded[size] = carriageReturn;
        size += 1;
      }
      holdsReturn = byte === carriageReturn;
      if (!holdsReturn) {
        decoded[size] = byte;
        size += 1;
      }
    }
    this.#holdsReturn = holdsReturn;
    return decoded.subarray(0, size);
  }

  end(): Buffer {
    const rest = this.#holdsReturn ? Buffer.from("\r") : nothing;
    this.#holdsReturn = false;
    return rest;
  }
}
