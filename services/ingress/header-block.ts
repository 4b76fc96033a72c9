import { SmtpRefusal } from "./smtp/refusals.ts";

/** No mail has more, and it is held in memory. */
const limitBytes = 512 * 1024;
const blankLine = "\r\n\r\n";
const fieldStart = /^[!-9;-~]+[ \t\r\n]*:/;

export interface HeaderField {
  /** In lower case. */
  readonly name: string;
  /** What follows the colon, folded as it came. */
  readonly value: string;
}

/** Collects a message's header section (RFC 5322 section 2.1) as the message passes, and no more than that. */
export class HeaderBlock {
  readonly #chunks: Buffer[] = [];
  #sizeBytes = 0;
  #isComplete = false;
  #fields: readonly HeaderField[] | undefined;
  /** The bytes before the next chunk, as far as a blank line may reach back; at first the line end of DATA itself. */
  #tail = Buffer.from("\r\n");

  /** The message itself, unchanged. @throws SmtpRefusal headerTooBig over 512 KiB. */
  async *collectFrom(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of source) {
      if (!this.#isComplete) this.#collect(chunk);
      yield chunk;
    }
  }

  /** The section with the end of its last line; the whole message where no blank line ends it. */
  get bytes(): Buffer {
    return Buffer.concat(this.#chunks).subarray(0, this.#sizeBytes);
  }

  /** Whether all of the section has passed. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** In the order they stand in; once the section or the message is over. */
  get fields(): readonly HeaderField[] {
    this.#fields ??= fieldsIn(this.bytes.toString("utf8"));
    return this.#fields;
  }

  #collect(chunk: Buffer): void {
    const window = Buffer.concat([this.#tail, chunk]);
    const end = window.indexOf(blankLine);
    this.#isComplete = end >= 0;
    this.#chunks.push(chunk);
    this.#sizeBytes += this.#isComplete ? end + 2 - this.#tail.length : chunk.length;
    if (this.#sizeBytes > limitBytes) throw new SmtpRefusal("headerTooBig");
    this.#tail = window.subarray(-3);
  }
}

/** What begins no field (RFC 5322 sections 3.6.8 and 4.5.8) is the rest of the one before it: so verifiers read it. */
function fieldsIn(section: string): HeaderField[] {
  const fields: { name: string; value: string }[] = [];
  for (const line of section.replace(/\r\n$/, "").split(/\r\n(?![ \t])/)) {
    const last = fields.at(-1);
    const colon = line.indexOf(":");
    if (last && !fieldStart.test(line)) last.value += `\r\n${line}`;
    else if (colon > 0) fields.push({ name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1) });
  }
  return fields;
}
