import { Transform, type TransformCallback } from "node:stream";

const [equals, space, tab, carriageReturn, lineFeed] = [0x3d, 0x20, 0x09, 0x0d, 0x0a];
/** No line may be longer than 76 (RFC 2045 section 6.7); of one that is, no more than this is looked at as one. */
const lineLimitBytes = 64 * 1024;

/**
 * Undoes quoted-printable as it streams by, line by line, in a time that goes with its length. mailparser's own holds all
 * of a part, and takes minutes over a megabyte of spaces.
 */
export class QuotedPrintable extends Transform {
  #rest: Buffer = Buffer.alloc(0);

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let from = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, from)) {
      this.push(decodedLine(bytes.subarray(from, end + 1)));
      from = end + 1;
    }
    // Copied, so that a short rest does not hold on to a long chunk.
    this.#rest = Buffer.from(bytes.subarray(from));
    if (this.#rest.length > lineLimitBytes) this.#letGo();
    done();
  }

  override _flush(done: TransformCallback): void {
    this.push(decodedLine(this.#rest));
    done();
  }

  /** All of an endless line but what may be the beginning of an escape, or white space that is none if the line ends. */
  #letGo(): void {
    let end = this.#rest.length - 2;
    while (end > 0 && isBlank(this.#rest[end - 1])) end -= 1;
    // Nothing but white space, for so long: it is let go as it is.
    if (end === 0) end = this.#rest.length - 2;
    if (this.#rest[end - 1] === equals) end -= 1;
    if (this.#rest[end - 2] === equals) end -= 2;
    this.push(decoded(this.#rest.subarray(0, end)));
    this.#rest = Buffer.from(this.#rest.subarray(end));
  }
}

/** A line with its end, or the last one without: white space before its end was added on the way, and "=" there joins it to the next. */
function decodedLine(line: Buffer): Buffer {
  let end = line.length;
  if (line[end - 1] === lineFeed) end -= line[end - 2] === carriageReturn ? 2 : 1;
  const ending = line.subarray(end);
  while (isBlank(line[end - 1])) end -= 1;
  if (line[end - 1] === equals) return decoded(line.subarray(0, end - 1));
  return Buffer.concat([decoded(line.subarray(0, end)), ending]);
}

/** What is no escape stays as it is. */
function decoded(content: Buffer): Buffer {
  let at = content.indexOf(equals);
  if (at === -1) return content;
  const bytes = Buffer.from(content);
  let size = at;
  for (; at < content.length; at += 1) {
    const value = content[at] === equals ? escaped(content[at + 1], content[at + 2]) : undefined;
    bytes[size] = value ?? (content[at] as number);
    if (value !== undefined) at += 2;
    size += 1;
  }
  return bytes.subarray(0, size);
}

function escaped(high: number | undefined, low: number | undefined): number | undefined {
  const [first, second] = [digit(high), digit(low)];
  return first === undefined || second === undefined ? undefined : first * 16 + second;
}

function digit(code: number | undefined): number | undefined {
  const value = code === undefined ? Number.NaN : Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? undefined : value;
}

function isBlank(code: number | undefined): boolean {
  return code === space || code === tab;
}
