import { hasOnlyCrlf } from "../../message/crlf.ts";

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

  /** @throws BareLineEnding */
  push(chunk: Buffer): Buffer[] {
    if (chunk.length === 0) return [];
    if (!hasOnlyCrlf(chunk, this.#last)) throw new BareLineEnding();
    const beginsWithDot = chunk[0] === dot && this.#last === lineFeed;
    const first = beginsWithDot ? 0 : chunk.indexOf("\n.") + 1;
    this.#last = chunk.at(-1) as number;
    return [first > 0 || beginsWithDot ? stuffed(chunk, first) : chunk];
  }

  /** What ends the content: the final dot, on a line of its own. @throws BareLineEnding */
  end(): string {
    if (this.#last === carriageReturn) throw new BareLineEnding();
    return this.#last === lineFeed ? ".\r\n" : "\r\n.\r\n";
  }
}

/**
 * Octet by octet, and into one piece: of lines that are short, a native search for each end, or a piece for each line, costs ten
 * times as much.
 * @param first where the first dot is that begins a line
 */
function stuffed(chunk: Buffer, first: number): Buffer {
  const octets = Buffer.allocUnsafe(2 * chunk.length);
  chunk.copy(octets, 0, 0, first);
  let size = first;
  let previous = lineFeed;
  for (let at = first; at < chunk.length; at += 1) {
    const octet = chunk[at] as number;
    if (octet === dot && previous === lineFeed) {
      octets[size] = dot;
      size += 1;
    }
    octets[size] = octet;
    size += 1;
    previous = octet;
  }
  return octets.subarray(0, size);
}
