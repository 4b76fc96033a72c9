import { type HeaderField, parseFields } from "../message/header/fields.ts";
import { HeaderSection } from "../message/header/section.ts";
import { SmtpRefusal } from "./smtp/refusals.ts";

/** No mail has more, and it is held in memory. */
const limitBytes = 512 * 1024;

/** Collects a message's header section (RFC 5322 section 2.1) as the message passes, and no more than that. */
export class HeaderBlock {
  readonly #section = new HeaderSection();
  #fields: readonly HeaderField[] | undefined;

  /** The message itself, unchanged. @throws SmtpRefusal headerTooBig over 512 KiB. */
  async *collectFrom(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of source) {
      this.#section.add(chunk);
      if (this.#section.sizeBytes > limitBytes) throw new SmtpRefusal("headerTooBig");
      yield chunk;
    }
  }

  /** The section with the end of its last line; the whole message where no blank line ends it. */
  get bytes(): Buffer {
    return this.#section.bytes;
  }

  /** Whether all of the section has passed. */
  get isComplete(): boolean {
    return this.#section.isComplete;
  }

  /** In the order they stand in; once the section or the message is over. */
  get fields(): readonly HeaderField[] {
    this.#fields ??= parseFields(this.bytes);
    return this.#fields;
  }
}
