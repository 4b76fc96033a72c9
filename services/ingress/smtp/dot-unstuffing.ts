const [lineFeed, carriageReturn, dot] = [0x0a, 0x0d, 0x2e];
const nothing = Buffer.alloc(0);

/** What a chunk of DATA is. */
interface Unstuffed {
  /** Of the message, its escapes undone. */
  readonly content: Buffer;
  /** Once CRLF "." CRLF has come: what follows it. */
  readonly rest: Buffer | undefined;
}

/**
 * Undoes the transparency of DATA (RFC 5321 section 4.5.2) for one message: of a line that begins with a dot it leaves that dot out, and
 * nothing but CRLF "." CRLF ends the message. Each chunk gives one piece, however many of its lines begin with a dot.
 */
export class DotUnstuffing {
  /** A dot that begins a line, and perhaps CR: what it is shows by what comes next. */
  #held: Buffer = nothing;
  /** A message begins as if a line had just ended. */
  #beforeLast = carriageReturn;
  #last = lineFeed;

  /** @param chunk is changed: its content is moved together */
  push(chunk: Buffer): Unstuffed {
    const octets = this.#withHeld(chunk);
    const first = this.#firstDot(octets);
    if (first < 0) return this.#plain(octets);
    this.#plain(octets.subarray(0, first));
    return this.#unstuffed(octets, first);
  }

  /** Where the first line begins that begins with a dot. The native search costs a tenth of reading each octet, and most text has no such line. */
  #firstDot(octets: Buffer): number {
    if (this.#last === lineFeed && octets[0] === dot) return 0;
    const found = octets.indexOf("\n.");
    return found < 0 ? found : found + 1;
  }

  #plain(octets: Buffer): Unstuffed {
    const [beforeLast, last] = octets.length > 1 ? octets.subarray(-2) : [this.#last, octets[0]];
    if (last !== undefined) [this.#beforeLast, this.#last] = [beforeLast as number, last];
    return { content: octets, rest: undefined };
  }

  /** Octet by octet from the first line on that begins with a dot, which in most messages is their last. */
  #unstuffed(octets: Buffer, first: number): Unstuffed {
    let size = first;
    for (let at = first; at < octets.length; at += 1) {
      if (octets[at] === dot && this.#last === lineFeed) {
        const kind = this.#dotAt(octets, at);
        if (kind === "end") return { content: octets.subarray(0, size), rest: octets.subarray(at + 3) };
        if (kind === "unknown") {
          this.#held = Buffer.from(octets.subarray(at));
          break;
        }
        if (kind === "escape") at += 1;
      }
      const octet = octets[at] as number;
      if (size !== at) octets[size] = octet;
      size += 1;
      this.#beforeLast = this.#last;
      this.#last = octet;
    }
    return { content: octets.subarray(0, size), rest: undefined };
  }

  #withHeld(chunk: Buffer): Buffer {
    if (this.#held.length === 0) return chunk;
    const octets = Buffer.concat([this.#held, chunk]);
    this.#held = nothing;
    return octets;
  }

  /** What a dot is that begins a line. */
  #dotAt(octets: Buffer, at: number): "end" | "escape" | "content" | "unknown" {
    const [next, nextButOne] = [octets[at + 1], octets[at + 2]];
    if (next === undefined) return "unknown";
    if (next === dot) return "escape";
    if (next !== carriageReturn || this.#beforeLast !== carriageReturn) return "content";
    if (nextButOne === undefined) return "unknown";
    return nextButOne === lineFeed ? "end" : "content";
  }
}
