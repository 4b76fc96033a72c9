import { isBlank } from "../cursor.ts";

// Boundary delimiter lines: RFC 2046 section 5.1.1.

const [carriageReturn, hyphen] = [0x0d, 0x2d];
/** Section 5.1.1 allows 70. */
export const boundaryLimitBytes = 250;

export interface Delimiter {
  /** Which of the open multiparts it belongs to, counted from the outermost. */
  readonly level: number;
  /** Whether it is the last one of its multipart. */
  readonly isClosing: boolean;
}

/**
 * The boundaries of the multiparts that are open, outermost first. Each of them counts wherever it comes: that an inner multipart
 * was not closed is no reason to lose what follows it.
 */
export class Boundaries {
  readonly #open: string[] = [];
  /** The innermost level of each. */
  #levels = new Map<string, number>();
  /** By length and by last byte, whether there is one to compare with: that is cheaper than to make a string of each line. */
  readonly #lengths = new Uint8Array(boundaryLimitBytes + 1);
  readonly #lastBytes = new Uint8Array(256);

  get count(): number {
    return this.#open.length;
  }

  open(boundary: string): void {
    this.#open.push(boundary);
    this.#index();
  }

  /** Closes those from a level on, the innermost. */
  closeFrom(level: number): void {
    if (level >= this.#open.length) return;
    this.#open.length = level;
    this.#index();
  }

  /**
   * The delimiter on this line, with any trailing blanks. A line that only begins with a boundary is none, though the RFC
   * says so: senders nest `part` and `part-1`.
   * @param start of a line that begins with "--"
   * @param end where its LF is, or the message ends
   */
  match(bytes: Buffer, start: number, end: number): Delimiter | undefined {
    const from = start + 2;
    let to = end;
    if (bytes[to - 1] === carriageReturn) to -= 1;
    while (to > from && isBlank(bytes[to - 1] as number)) to -= 1;
    if (this.#mayEnd(bytes, from, to)) {
      const level = this.#levels.get(bytes.toString("latin1", from, to));
      if (level !== undefined) return { level, isClosing: false };
    }
    if (bytes[to - 1] !== hyphen || bytes[to - 2] !== hyphen || !this.#mayEnd(bytes, from, to - 2)) return undefined;
    const level = this.#levels.get(bytes.toString("latin1", from, to - 2));
    return level === undefined ? undefined : { level, isClosing: true };
  }

  #mayEnd(bytes: Buffer, from: number, to: number): boolean {
    const length = to - from;
    if (length <= 0 || length > boundaryLimitBytes || this.#lengths[length] === 0) return false;
    return this.#lastBytes[bytes[to - 1] as number] === 1;
  }

  #index(): void {
    this.#levels = new Map(this.#open.map((boundary, level) => [boundary, level]));
    this.#lengths.fill(0);
    this.#lastBytes.fill(0);
    for (const boundary of this.#open) {
      this.#lengths[boundary.length] = 1;
      this.#lastBytes[boundary.charCodeAt(boundary.length - 1)] = 1;
    }
  }
}
