// Takes a message apart into its entities as it streams by: RFC 2045, RFC 2046 section 5.1.

import { nothing } from "../coding/decoder.ts";
import { Boundaries, boundaryLimitBytes, type Delimiter } from "./boundaries.ts";
import { type Content, describeContent } from "./content.ts";
import type { Entity, MimeEvent, MimeLimits } from "./entity.ts";
import { EntityHeader } from "./entity-header.ts";
import { beginsWithHyphens, contentEnd, heldTail, nextCandidate, nextLineFeed } from "./lines.ts";

const lineFeed = 0x0a;
/** RFC 5322 section 2.1.1 allows 998: a longer line is no delimiter. */
const lineLimitBytes = 1_000;

/**
 * A push parser: each `write` returns the events known so far; their bytes are views of the input. It buffers a header section
 * or a line of at most 1,000 bytes. Its time is linear in the size of the message, for any boundaries and any chunks.
 */
export class MimeParser {
  readonly #limits: MimeLimits;
  readonly #boundaries = new Boundaries();
  /** The multiparts that the boundaries belong to. */
  readonly #multiparts: Entity[] = [];
  /** From the message down to what is being read. */
  readonly #path: Entity[] = [];
  readonly #header: EntityHeader;
  /** The parent of the entity whose header is being read. */
  #parent: Entity | undefined;
  #isInHeader = true;
  /** Whether what comes next begins a line whose end before is no content. */
  #isLineStart = true;
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Whether nothing can be told before a line's end. */
  #awaitsLineEnd = false;
  #entityCount = 0;
  #exceededLimit: keyof MimeLimits | undefined;
  #events: MimeEvent[] = [];
  #examinedBytes = 0;

  constructor(limits: MimeLimits) {
    this.#limits = limits;
    this.#header = new EntityHeader(limits.headerBytes);
  }

  /** The limit that was exceeded first: something was left out, or not taken apart. */
  get exceededLimit(): keyof MimeLimits | undefined {
    return this.#exceededLimit;
  }

  /** Whether no further entity can begin: what comes is body of the last one, or left out. */
  get isInLastEntity(): boolean {
    return this.#isFinished || (!this.#isInHeader && this.#boundaries.count === 0);
  }

  /** How many bytes were looked at, those that were held back as often as they were. */
  get examinedBytes(): number {
    return this.#examinedBytes;
  }

  write(chunk: Buffer): readonly MimeEvent[] {
    this.#events = [];
    if (this.#isFinished || chunk.length === 0) return this.#events;
    const longest = this.#isInHeader ? this.#limits.headerBytes : lineLimitBytes;
    if (this.#awaitsLineEnd && this.#heldBytes + chunk.length <= longest && !chunk.includes(lineFeed))
      this.#hold(chunk);
    else this.#read(this.#withHeld(chunk), false);
    return this.#events;
  }

  /** What is left, and the end of all that is open. */
  end(): readonly MimeEvent[] {
    this.#events = [];
    if (!this.#isFinished) this.#read(this.#withHeld(nothing), true);
    if (this.#isInHeader && !this.#isFinished) this.#finishHeader();
    this.#endDownTo(0);
    return this.#events;
  }

  get #isFinished(): boolean {
    return this.#entityCount > this.#limits.entities;
  }

  #withHeld(chunk: Buffer): Buffer {
    const held = this.#held;
    if (held.length === 0) return chunk;
    this.#held = [];
    this.#heldBytes = 0;
    this.#awaitsLineEnd = false;
    return Buffer.concat([...held, chunk]);
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }

  #read(bytes: Buffer, isLast: boolean): void {
    this.#examinedBytes += bytes.length;
    for (let at = 0; at < bytes.length && !this.#isFinished; ) {
      at = this.#isInHeader ? this.#readHeaderLine(bytes, at, isLast) : this.#readBody(bytes, at, isLast);
    }
  }

  /** @returns where to go on */
  #readHeaderLine(bytes: Buffer, from: number, isLast: boolean): number {
    const found = bytes.indexOf(lineFeed, from);
    const end = found === -1 ? bytes.length : found;
    const next = Math.min(end + 1, bytes.length);
    const isTooLong = next - from > this.#limits.headerBytes;
    if (found === -1 && !isLast && !isTooLong) {
      this.#hold(bytes.subarray(from));
      this.#awaitsLineEnd = true;
      return bytes.length;
    }
    const delimiter = beginsWithHyphens(bytes, from) ? this.#boundaries.match(bytes, from, end) : undefined;
    if (delimiter) {
      this.#finishHeader();
      this.#takeDelimiter(delimiter);
      return next;
    }
    if (found !== -1 && isEmptyLine(bytes, from, end)) {
      this.#finishHeader(bytes.subarray(from, next));
      return next;
    }
    if (isTooLong || this.#header.isFull) {
      this.#exceededLimit ??= "headerBytes";
      this.#finishHeader();
      this.#isLineStart = false;
      return from;
    }
    this.#header.add(bytes.subarray(from, next));
    return next;
  }

  /** @param emptyLine that ended it: where there was no header it is content as well */
  #finishHeader(emptyLine = nothing): void {
    const { fields, body } = this.#header.finish();
    const parent = this.#parent;
    const defaultType = parent?.content.type === "multipart/digest" ? "message/rfc822" : "text/plain";
    const content = describeContent(fields, defaultType);
    const entity = { fields, content, parent, isMultipart: this.#isTakenApart(content) };
    this.#path.push(entity);
    this.#events.push({ kind: "begin", entity });
    if (entity.isMultipart) {
      this.#boundaries.open(content.boundary ?? "");
      this.#multiparts.push(entity);
    }
    this.#isInHeader = false;
    this.#isLineStart = true;
    if (body) this.#emit(Buffer.concat([body, emptyLine]));
  }

  #isTakenApart({ type, boundary }: Content): boolean {
    if (!type.startsWith("multipart/") || boundary === undefined || boundary.length > boundaryLimitBytes) return false;
    if (this.#path.length < this.#limits.depth) return true;
    this.#exceededLimit ??= "depth";
    return false;
  }

  /** Reads up to a delimiter, or as far as can be told. @returns where to go on */
  #readBody(bytes: Buffer, from: number, isLast: boolean): number {
    if (this.#boundaries.count === 0) {
      this.#emit(bytes.subarray(from));
      return bytes.length;
    }
    for (let start = this.#firstCandidate(bytes, from); start !== -1; ) {
      const found = nextLineFeed(bytes, start);
      const end = found === -1 ? bytes.length : found;
      if (found === -1 && !isLast && end - start <= lineLimitBytes)
        return this.#holdFrom(bytes, from, contentEnd(bytes, start, from), true);
      const delimiter = this.#boundaries.match(bytes, start, end);
      if (delimiter) {
        this.#emit(bytes.subarray(from, contentEnd(bytes, start, from)));
        this.#takeDelimiter(delimiter);
        return Math.min(end + 1, bytes.length);
      }
      start = found === -1 ? -1 : nextCandidate(bytes, found);
    }
    return this.#holdFrom(bytes, from, isLast ? bytes.length : bytes.length - heldTail(bytes, from), false);
  }

  #firstCandidate(bytes: Buffer, from: number): number {
    const isHere = this.#isLineStart && beginsWithHyphens(bytes, from) !== false;
    return isHere ? from : nextCandidate(bytes, from);
  }

  #holdFrom(bytes: Buffer, from: number, to: number, awaitsLineEnd: boolean): number {
    this.#emit(bytes.subarray(from, to));
    this.#hold(bytes.subarray(to));
    this.#awaitsLineEnd = awaitsLineEnd;
    return bytes.length;
  }

  #emit(bytes: Buffer): void {
    const entity = this.#path.at(-1);
    if (bytes.length === 0 || !entity) return;
    this.#isLineStart = false;
    this.#events.push({ kind: "bytes", entity, bytes });
  }

  #takeDelimiter({ level, isClosing }: Delimiter): void {
    const multipart = this.#multiparts[level] as Entity;
    this.#endDownTo(this.#path.indexOf(multipart) + 1);
    const kept = isClosing ? level : level + 1;
    this.#boundaries.closeFrom(kept);
    this.#multiparts.length = Math.min(this.#multiparts.length, kept);
    this.#isLineStart = true;
    if (isClosing) return;
    this.#parent = multipart;
    this.#entityCount += 1;
    this.#isInHeader = !this.#isFinished;
    if (this.#isFinished) this.#exceededLimit ??= "entities";
  }

  #endDownTo(count: number): void {
    while (this.#path.length > count) this.#events.push({ kind: "end", entity: this.#path.pop() as Entity });
  }
}

function isEmptyLine(bytes: Buffer, from: number, end: number): boolean {
  return end === from || (end === from + 1 && bytes[from] === 0x0d);
}
