import { createHash } from "node:crypto";

const space = 0x20;
const tab = 0x09;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
/** Strings of this size die young; those of a whole chunk would lie about until the next full collection. */
const pieceBytes = 16 * 1024;
/** Empty lines are hashed so many at a time: a body may hold back millions of them. */
const breaks = Buffer.from("\r\n".repeat(4_096));

/**
 * The hash of a body in relaxed canonicalization (RFC 6376 section 3.4.4), of any size, as it passes: white space within a
 * line is one space, at its end none, and empty lines at the end of the body are left out. What comes is searched by native
 * code, and only what there is to change in is taken apart.
 */
export class BodyHash {
  readonly #hash = createHash("sha256");
  /** Line ends, then perhaps a space, then perhaps half a line end, that count only if more follows. */
  #heldBreaks = 0;
  #heldSpace = false;
  #heldReturn = false;
  #isEmpty = true;

  update(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at += pieceBytes) this.#take(chunk.subarray(at, at + pieceBytes));
  }

  #take(chunk: Buffer): void {
    const bytes = this.#heldReturn || this.#heldSpace ? Buffer.concat([this.#held(), chunk]) : chunk;
    const end = contentEnd(bytes);
    if (end > 0) {
      this.#release();
      this.#hash.update(relaxed(bytes.subarray(0, end)));
      this.#isEmpty = false;
    }
    this.#hold(bytes.subarray(end));
  }

  /** Base64, once the whole body has passed. */
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
    const lastBreak = tail.lastIndexOf(lineFeed);
    for (let at = tail.indexOf(lineFeed); at !== -1; at = tail.indexOf(lineFeed, at + 1)) this.#heldBreaks += 1;
    this.#heldSpace = lastBreak + 1 < tail.length - (this.#heldReturn ? 1 : 0);
  }

  #release(): void {
    for (let left = this.#heldBreaks * 2; left > 0; left -= breaks.length)
      this.#hash.update(breaks.subarray(0, Math.min(left, breaks.length)));
    this.#heldBreaks = 0;
  }
}

/** Where white space and line ends begin that nothing else follows; a CR that may be half a line end belongs to them. */
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

function relaxed(content: Buffer): Buffer {
  if (!content.includes("\t") && !content.includes("  ") && !content.includes(" \r\n")) return content;
  const text = content.toString("latin1").replace(/[ \t]+/g, " ");
  return Buffer.from(text.replaceAll(" \r\n", "\r\n"), "latin1");
}
