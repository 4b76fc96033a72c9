// A message that is held in memory, with the places of its entities: RFC 2045, RFC 2046. It reads what MimeParser reads.

import { type HeaderField, parseFields } from "../header/fields.ts";
import { Boundaries, boundaryLimitBytes, type Delimiter } from "./boundaries.ts";
import { type Content, describeContent } from "./content.ts";
import type { MimeLimits } from "./entity.ts";
import { beginsWithHyphens, contentEnd, nextCandidate, nextLineFeed } from "./lines.ts";

const hyphens = "--";

/** An entity and where it stands in the message. */
export interface MimeNode {
  readonly fields: readonly HeaderField[];
  readonly content: Content;
  readonly parent: MimeNode | undefined;
  readonly children: readonly MimeNode[];
  /** Of a multipart, where its boundary stands in its delimiters. */
  readonly delimiters: readonly number[];
  /** Of its header section, with the line end of its last field; equal where it has none. */
  readonly headerStart: number;
  readonly headerEnd: number;
  /** Of its body, its transfer encoding as it is; without the line end before the next delimiter. */
  readonly bodyStart: number;
  readonly bodyEnd: number;
}

interface OpenNode extends MimeNode {
  children: OpenNode[];
  delimiters: number[];
  bodyEnd: number;
}

/** Where a part begins. */
interface NextPart {
  readonly at: number;
  readonly parent: OpenNode | undefined;
}

/** Undefined where a limit is exceeded: then nothing can be said of what is beyond. */
export function readMimeTree(message: Buffer, limits: MimeLimits): MimeNode | undefined {
  return new TreeReader(message, limits).read();
}

class TreeReader {
  readonly #bytes: Buffer;
  readonly #limits: MimeLimits;
  readonly #boundaries = new Boundaries();
  /** Those that the boundaries belong to, outermost first. */
  readonly #multiparts: OpenNode[] = [];
  /** From the message down to what is being read. */
  readonly #path: OpenNode[] = [];
  #count = 0;
  #isExceeded = false;

  constructor(bytes: Buffer, limits: MimeLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
  }

  read(): MimeNode | undefined {
    let next: NextPart | undefined = { at: 0, parent: undefined };
    while (next && !this.#isExceeded) next = this.#nextPart(this.#begin(next.at, next.parent));
    const [root] = this.#path;
    this.#endDownTo(0, this.#bytes.length);
    return this.#isExceeded ? undefined : root;
  }

  /** Reads a header. @returns where its body begins, or the delimiter stands that takes its place */
  #begin(start: number, parent: OpenNode | undefined): number {
    const { headerEnd, bodyStart } = this.#header(start);
    const fields = parseFields(this.#bytes.subarray(start, headerEnd));
    const isHeader = fields.length === 0 || fields.some(({ name }) => name !== "");
    if (headerEnd - start > this.#limits.headerBytes) this.#isExceeded = true;
    const defaultType = parent?.content.type === "multipart/digest" ? "message/rfc822" : "text/plain";
    const content = describeContent(isHeader ? fields : [], defaultType);
    const node: OpenNode = {
      fields: isHeader ? fields : [],
      content,
      parent,
      children: [],
      delimiters: [],
      headerStart: start,
      headerEnd: isHeader ? headerEnd : start,
      bodyStart: isHeader ? bodyStart : start,
      bodyEnd: bodyStart,
    };
    parent?.children.push(node);
    this.#path.push(node);
    this.#count += 1;
    if (this.#count > this.#limits.entities) this.#isExceeded = true;
    this.#open(node);
    return bodyStart;
  }

  #open(node: OpenNode): void {
    const { type, boundary } = node.content;
    if (!type.startsWith("multipart/") || boundary === undefined) return;
    if (boundary.length > boundaryLimitBytes || this.#path.length >= this.#limits.depth) {
      this.#isExceeded = true;
      return;
    }
    this.#boundaries.open(boundary);
    this.#multiparts.push(node);
  }

  #header(start: number): { headerEnd: number; bodyStart: number } {
    const bytes = this.#bytes;
    for (let at = start; at < bytes.length; ) {
      const found = nextLineFeed(bytes, at);
      const end = found === -1 ? bytes.length : found;
      if (beginsWithHyphens(bytes, at) && this.#boundaries.match(bytes, at, end))
        return { headerEnd: at, bodyStart: at };
      const isEmpty = end === at || (end === at + 1 && bytes[at] === 0x0d);
      const next = Math.min(end + 1, bytes.length);
      if (isEmpty && found !== -1) return { headerEnd: at, bodyStart: next };
      at = next;
    }
    return { headerEnd: bytes.length, bodyStart: bytes.length };
  }

  /** The next part after a body that begins here, past delimiters that close; undefined at the end. */
  #nextPart(from: number): NextPart | undefined {
    const bytes = this.#bytes;
    for (let start = this.#firstLine(from); start !== -1; ) {
      const found = nextLineFeed(bytes, start);
      const end = found === -1 ? bytes.length : found;
      const delimiter = this.#boundaries.match(bytes, start, end);
      if (delimiter) {
        const parent = this.#closeAt(delimiter, start, contentEnd(bytes, start, from));
        if (parent) return { at: Math.min(end + 1, bytes.length), parent };
      }
      start = found === -1 ? -1 : nextCandidate(bytes, found);
    }
    return undefined;
  }

  #firstLine(from: number): number {
    if (this.#boundaries.count === 0) return -1;
    return beginsWithHyphens(this.#bytes, from) ? from : nextCandidate(this.#bytes, from);
  }

  /** @returns the multipart whose next part begins; undefined where it is closed */
  #closeAt({ level, isClosing }: Delimiter, start: number, bodyEnd: number): OpenNode | undefined {
    const multipart = this.#multiparts[level] as OpenNode;
    multipart.delimiters.push(start + hyphens.length);
    this.#endDownTo(this.#path.indexOf(multipart) + 1, bodyEnd);
    const kept = isClosing ? level : level + 1;
    this.#boundaries.closeFrom(kept);
    this.#multiparts.length = Math.min(this.#multiparts.length, kept);
    return isClosing ? undefined : multipart;
  }

  #endDownTo(count: number, bodyEnd: number): void {
    while (this.#path.length > count) {
      const node = this.#path.pop() as OpenNode;
      node.bodyEnd = Math.max(node.bodyStart, bodyEnd);
    }
  }
}
