// Quoted-printable: RFC 2045 section 6.7.

import { isBlank } from "../cursor.ts";
import { type ByteDecoder, nothing } from "./decoder.ts";

const [tab, lineFeed, carriageReturn, space, equals] = [0x09, 0x0a, 0x0d, 0x20, 0x3d];
/** No line may be longer than 76; of white space that may be a line's end, no more than this is held back. */
const heldLimitBytes = 1_000;

const notHex = 0xff;
const hexValues = new Uint8Array(256).fill(notHex);
for (let value = 0; value < 16; value += 1) {
  const digit = value.toString(16);
  hexValues[digit.charCodeAt(0)] = value;
  hexValues[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Whether a byte needs no thought: everything but white space, line ends and "=". */
const isPlain = new Uint8Array(256).fill(1);
for (const byte of [tab, lineFeed, carriageReturn, space, equals]) isPlain[byte] = 0;

/** Leaves what is no escape as it is. White space before a line's end was added on the way; "=" there joins it to the next. */
export class QuotedPrintableDecoder implements ByteDecoder {
  /** White space and line ends that cannot be told yet, or an escape that is not whole. */
  readonly #held = Buffer.allocUnsafe(heldLimitBytes);
  #heldSize = 0;
  #decoded: Buffer = nothing;
  #size = 0;

  write(bytes: Buffer): Buffer {
    // No byte becomes more than one.
    this.#decoded = Buffer.allocUnsafe(bytes.length + this.#heldSize);
    this.#size = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#heldSize > 0) this.#takeAfterHeld(bytes[at] as number);
      else at = this.#takeRun(bytes, at);
    }
    return this.#decoded.subarray(0, this.#size);
  }

  end(): Buffer {
    const held = Buffer.from(this.#held.subarray(0, this.#heldSize));
    this.#heldSize = 0;
    if (held[0] === equals) return held.length > 1 && isHex(held[1] as number) ? held : nothing;
    return held.at(-1) === carriageReturn ? held : nothing;
  }

  /** Takes bytes that need no thought, and one that does. @returns where that one is */
  #takeRun(bytes: Buffer, from: number): number {
    const decoded = this.#decoded;
    let size = this.#size;
    let at = from;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (isPlain[byte] === 0) break;
      decoded[size] = byte;
      size += 1;
    }
    this.#size = size;
    if (at < bytes.length) this.#decode(bytes[at] as number);
    return at;
  }

  #decode(byte: number): void {
    if (byte === lineFeed || isPlain[byte] === 1) this.#put(byte);
    else this.#hold(byte);
  }

  #takeAfterHeld(byte: number): void {
    const last = this.#held[this.#heldSize - 1] as number;
    if (this.#held[0] === equals && this.#heldSize === 2 && isHex(last)) this.#takeSecondDigit(last, byte);
    else if (byte === lineFeed) this.#endLine(last);
    else if (last !== carriageReturn && (byte === carriageReturn || isBlank(byte))) this.#hold(byte);
    else if (this.#held[0] === equals && this.#heldSize === 1 && isHex(byte)) this.#hold(byte);
    else this.#flushBefore(byte);
  }

  #takeSecondDigit(first: number, second: number): void {
    if (!isHex(second)) {
      this.#flushBefore(second);
      return;
    }
    this.#heldSize = 0;
    this.#put(((hexValues[first] as number) << 4) | (hexValues[second] as number));
  }

  /** A soft line break (rule 5), or a line's end without the white space before it (rule 3). */
  #endLine(last: number): void {
    const isSoft = this.#held[0] === equals;
    this.#heldSize = 0;
    if (isSoft) return;
    if (last === carriageReturn) this.#put(carriageReturn);
    this.#put(lineFeed);
  }

  #hold(byte: number): void {
    if (this.#heldSize === heldLimitBytes) this.#flush();
    this.#held[this.#heldSize] = byte;
    this.#heldSize += 1;
  }

  #flushBefore(byte: number): void {
    this.#flush();
    this.#decode(byte);
  }

  /** The bytes held back are content: writes them out. */
  #flush(): void {
    this.#decoded.set(this.#held.subarray(0, this.#heldSize), this.#size);
    this.#size += this.#heldSize;
    this.#heldSize = 0;
  }

  #put(byte: number): void {
    this.#decoded[this.#size] = byte;
    this.#size += 1;
  }
}

function isHex(byte: number): boolean {
  return hexValues[byte] !== notHex;
}
