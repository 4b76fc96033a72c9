// The header section of a message: RFC 5322 section 2.1.

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/**
 * Collects the header section of a message that comes in chunks, up to its first empty line. Takes a time that goes with the
 * length of the section, however it is cut.
 */
export class HeaderSection {
  readonly #chunks: Buffer[] = [];
  #sizeBytes = 0;
  #isComplete = false;
  /** What the last line consists of so far; at first the line end before the message itself. */
  #line: "empty" | "return" | "other" = "empty";

  /** Whether its empty line has passed. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** How much has been collected. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** The section, with the end of its last line; all that came as long as no empty line did. */
  get bytes(): Buffer {
    if (this.#chunks.length > 1) this.#chunks.splice(0, this.#chunks.length, Buffer.concat(this.#chunks));
    return (this.#chunks[0] ?? Buffer.alloc(0)).subarray(0, this.#sizeBytes);
  }

  /** Takes the next chunk. @returns what of it is body: nothing before the section is complete. */
  add(chunk: Buffer): Buffer {
    if (this.#isComplete) return chunk;
    const body = this.#emptyLineEnd(chunk);
    const header = body === undefined ? chunk : chunk.subarray(0, body);
    // Copied, so that a small header does not hold on to a large chunk.
    this.#chunks.push(this.#isComplete ? Buffer.from(header) : header);
    this.#sizeBytes += header.length;
    if (body === undefined) return chunk.subarray(chunk.length);
    this.#sizeBytes -= this.#line === "return" ? 2 : 1;
    return chunk.subarray(body);
  }

  /** Where the empty line ends in this chunk. */
  #emptyLineEnd(chunk: Buffer): number | undefined {
    for (let at = 0; at < chunk.length; ) {
      const byte = chunk[at];
      if (byte === lineFeed && this.#line !== "other") {
        this.#isComplete = true;
        return at + 1;
      }
      if (byte === carriageReturn && this.#line === "empty") {
        this.#line = "return";
        at += 1;
      } else {
        const end = chunk.indexOf(lineFeed, at);
        this.#line = end === -1 ? "other" : "empty";
        at = end === -1 ? chunk.length : end + 1;
      }
    }
    return undefined;
  }
}

/** The header section of a whole message, and what follows its empty line. */
export function splitMessage(message: Buffer): { header: Buffer; body: Buffer } {
  const section = new HeaderSection();
  const body = section.add(message);
  return { header: message.subarray(0, section.sizeBytes), body };
}
