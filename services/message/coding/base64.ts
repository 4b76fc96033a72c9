// Base64: RFC 2045 section 6.8, and the alphabet of RFC 4648 section 5 that some senders use instead.

import { type ByteDecoder, nothing } from "./decoder.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const ignored = 0xff;
const padding = 0xfe;
const values = new Uint8Array(256).fill(ignored);
for (let value = 0; value < alphabet.length; value += 1) values[alphabet.charCodeAt(value)] = value;
values["-".charCodeAt(0)] = 62;
values["_".charCodeAt(0)] = 63;
values["=".charCodeAt(0)] = padding;

/**
 * Ignores what is not of the alphabet, as section 6.8 says. What follows padding is taken as a further text: some senders put
 * several together.
 */
export class Base64Decoder implements ByteDecoder {
  #bits = 0;
  #bitCount = 0;

  write(bytes: Buffer): Buffer {
    const decoded = Buffer.allocUnsafe(((bytes.length * 3) >> 2) + 3);
    let [bits, bitCount, size] = [this.#bits, this.#bitCount, 0];
    for (let at = 0; at < bytes.length; at += 1) {
      const value = values[bytes[at] as number] as number;
      if (value < 64) {
        bits = (bits << 6) | value;
        bitCount += 6;
        if (bitCount >= 8) {
          bitCount -= 8;
          decoded[size] = bits >> bitCount;
          size += 1;
          bits &= (1 << bitCount) - 1;
        }
      } else if (value === padding) {
        bits = 0;
        bitCount = 0;
      }
    }
    this.#bits = bits;
    this.#bitCount = bitCount;
    return decoded.subarray(0, size);
  }

  /** A rest of fewer than eight bits is none. */
  end(): Buffer {
    return nothing;
  }
}
