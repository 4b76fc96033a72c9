/**
 * A place in a text that only moves forward. It counts the characters that were looked at, so that a test can hold a
 * parser to work that grows with the length of its text and no faster.
 */
export class Cursor {
  readonly text: string;
  #at: number;
  #steps = 0;

  constructor(text: string, at = 0) {
    this.text = text;
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  /** Characters looked at so far. */
  get steps(): number {
    return this.#steps;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.text.length;
  }

  /** The character here; "" at the end. */
  peek(): string {
    this.#steps += 1;
    return this.text.charAt(this.#at);
  }

  /** The character here, leaving it behind. */
  next(): string {
    const character = this.peek();
    this.#at += 1;
    return character;
  }

  /** Leaves characters behind as long as they pass; those that did. */
  takeWhile(passes: (code: number) => boolean): string {
    const from = this.#at;
    while (this.#at < this.text.length && passes(this.text.charCodeAt(this.#at))) this.#at += 1;
    this.#steps += this.#at - from + 1;
    return this.text.slice(from, this.#at);
  }

  /** Goes to a place ahead that the text was searched for natively. */
  jumpTo(at: number): void {
    this.#steps += Math.max(0, at - this.#at);
    this.#at = at;
  }
}

/** SP or HTAB (RFC 5234, WSP). */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** WSP, CR or LF: folding white space (RFC 5322 section 3.2.2) and what stands for it. */
export function isFoldingSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a;
}
