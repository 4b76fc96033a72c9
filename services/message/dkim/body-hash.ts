import { createHash } from "node:crypto";

const space = 0x20;
const tab = 0x09;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
/** A chunk is taken in pieces of this size, so that the copies of those in which something changes are small. */
const pieceBytes = 16 * 1024;
/** Empty lines are hashed this many at a time: there may be millions before the next text. */
const breaks = Buffer.from("\r\n".repeat(4_096));

/**
 * The streaming hash of a body in relaxed canonicalization (RFC 6376 section 3.4.4): white space within a line becomes one space, at
 * the end of a line none, and empty lines at the end of the body are left out. Only parts with something to change are processed
 * outside of native code.
 */
export class BodyHash {
  readonly #hash = createHash("sha256");
  /** Line ends, then perhaps a space, then perhaps a CR, which are hashed only if more text follows. */
  #heldBreaks = 0;
  #heldSpace = false;
  #heldReturn = false;
  #isEmpty = true;

  update(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at += pieceBytes) this.#updatePiece(chunk.subarray(at, at + pieceBytes));
  }

  #updatePiece(chunk: Buffer): void {
    const bytes = this.#heldReturn || this.#heldSpace ? Buffer.concat([this.#held(), chunk]) : chunk;
    const end = contentEnd(bytes);
    if (end > 0) {
      this.#release();
      this.#hash.update(relaxed(bytes.subarray(0, end)));
      this.#isEmpty = false;
    }
    this.#hold(bytes.subarray(end));
  }

  /** Base64, after the whole body. */
  digest(): string {
    if (this.#heldReturn) {
      this.#release();
      this.#hash.update(this.#held());
      this.#isEmpty = false;
    }
    if (!this.#isEmpty) this.#hash.update("\r\n");
    return this.#hash.digest("base64");
  }

  #held(): Buffer {
    return Buffer.from(`${this.#heldSpace ? " " : ""}${this.#heldReturn ? "\r" : ""}`);
  }

  #hold(tail: Buffer): void {
    this.#heldReturn = tail.at(-1) === carriageReturn;
    let lastBreak = -1;
    for (let at = 0; at < tail.length; at += 1) {
      if (tail[at] !== lineFeed) continue;
      this.#heldBreaks += 1;
      lastBreak = at;
    }
    this.#heldSpace = lastBreak + 1 < tail.length - (this.#heldReturn ? 1 : 0);
  }

  #release(): void {
    for (let left = this.#heldBreaks * 2; left > 0; left -= breaks.length)
      this.#hash.update(breaks.subarray(0, Math.min(left, breaks.length)));
    this.#heldBreaks = 0;
  }
}

/** Where the trailing white space and line ends begin; a trailing CR may be half a line end and belongs to them. */
function contentEnd(bytes: Buffer): number {
  let end = bytes.length;
  if (bytes[end - 1] === carriageReturn) end -= 1;
  for (;;) {
    const last = bytes[end - 1];
    if (last === space || last === tab) end -= 1;
    else if (last === lineFeed && bytes[end - 2] === carriageReturn) end -= 2;
    else return end;
  }
}

/** Content that ends with neither white space nor half a line end. */
function relaxed(content: Buffer): Buffer {
  if (!content.includes("\t") && !content.includes("  ") && !content.includes(" \r\n")) return content;
  const bytes = Buffer.allocUnsafe(content.length);
  let size = 0;
  let isAfterBlank = false;
  for (let at = 0; at < content.length; at += 1) {
    const byte = content[at] as number;
    if (byte === space || byte === tab) {
      isAfterBlank = true;
      continue;
    }
    if (isAfterBlank && !(byte === carriageReturn && content[at + 1] === lineFeed)) {
      bytes[size] = space;
      size += 1;
    }
    isAfterBlank = false;
    bytes[size] = byte;
    size += 1;
  }
  return bytes.subarray(0, size);
}
