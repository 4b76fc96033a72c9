// The header section of an entity as it is collected line by line: RFC 2045 section 2.4, RFC 5322 section 2.1.

import { type HeaderField, parseFields } from "../header/fields.ts";

/** Collects lines up to a limit; what is over it counts as body. */
export class EntityHeader {
  readonly #limitBytes: number;
  #pieces: Buffer[] = [];
  #sizeBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get isFull(): boolean {
    return this.#sizeBytes >= this.#limitBytes;
  }

  add(lines: Buffer): void {
    if (lines.length === 0) return;
    this.#pieces.push(lines);
    this.#sizeBytes += lines.length;
  }

  /** The fields, and what was body after all: everything, where not one line of it begins a field. */
  finish(): { fields: HeaderField[]; body: Buffer | undefined } {
    const section = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#sizeBytes = 0;
    const fields = parseFields(section);
    const isHeader = fields.length === 0 || fields.some(({ name }) => name !== "");
    return isHeader ? { fields, body: undefined } : { fields: [], body: section };
  }
}
