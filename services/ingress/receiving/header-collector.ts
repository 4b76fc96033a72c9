import { type HeaderField, parseFields } from "../../message/header/fields.ts";
import { HeaderSection } from "../../message/header/section.ts";
import { SmtpRefusal } from "../smtp/refusals.ts";

/** The section is held in memory. */
const limitBytes = 512 * 1024;

/** Collects the header section (RFC 5322 section 2.1) of a message that is read through it. */
export class HeaderCollector {
  readonly #section = new HeaderSection();
  #fields: readonly HeaderField[] | undefined;

  /** Passes the message through unchanged, and its body to `body`. @throws SmtpRefusal headerTooBig over 512 KiB. */
  async *collectFrom(
    source: AsyncIterable<Buffer>,
    body?: { update(chunk: Buffer): void },
  ): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of source) {
      const rest = this.#section.add(chunk);
      if (rest.length > 0) body?.update(rest);
      if (this.#section.sizeBytes > limitBytes) throw new SmtpRefusal("headerTooBig");
      yield chunk;
    }
  }

  /** The section with the end of its last line; the whole message if there is no empty line. */
  get bytes(): Buffer {
    return this.#section.bytes;
  }

  /** Whether the section was read to its end. */
  get isComplete(): boolean {
    return this.#section.isComplete;
  }

  /** Top to bottom; after the section or the message was read to its end. */
  get fields(): readonly HeaderField[] {
    this.#fields ??= parseFields(this.bytes);
    return this.#fields;
  }
}
