const dot = 0x2e;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** A CR or LF on its own: receivers that take one for a line's end could be led to see two messages in one (RFC 5321 section 2.3.8). */
export class BareLineEnding extends Error {
  constructor() {
    super("5.6.11 The message contains a carriage return or line feed on its own");
    this.name = "BareLineEnding";
  }
}

/** Makes message content transparent (RFC 5321 section 4.5.2): a dot that begins a line is doubled, everything else stays. */
export class DotStuffing {
  /** The last octet of what came before; a message begins as if a line had just ended. */
  #last = lineFeed;

  /**
   * Octet by octet, and into one piece: of lines that are short, a native search for each end, or a piece for each line, costs ten
   * times as much.
   * @throws BareLineEnding
   */
  push(chunk: Buffer): Buffer[] {
    if (chunk.length === 0) return [];
    /** Where a dot was doubled. */
    let stuffed: Buffer | undefined;
    let size = 0;
    let previous = this.#last;
    for (let at = 0; at < chunk.length; at += 1) {
      const octet = chunk[at] as number;
      if ((octet === lineFeed) !== (previous === carriageReturn)) throw new BareLineEnding();
      if (octet === dot && previous === lineFeed) {
        stuffed ??= beginningOf(chunk, at);
        stuffed[size] = dot;
        size += 1;
      }
      if (stuffed) stuffed[size] = octet;
      size += 1;
      previous = octet;
    }
    this.#last = previous;
    return [stuffed?.subarray(0, size) ?? chunk];
  }

  /** What ends the content: the final dot, on a line of its own. @throws BareLineEnding */
  end(): string {
    if (this.#last === carriageReturn) throw new BareLineEnding();
    return this.#last === lineFeed ? ".\r\n" : "\r\n.\r\n";
  }
}

/** A copy of a chunk up to some place, with room for a dot beside every octet of the rest. */
function beginningOf(chunk: Buffer, end: number): Buffer {
  const copy = Buffer.allocUnsafe(2 * chunk.length);
  chunk.copy(copy, 0, 0, end);
  return copy;
}
