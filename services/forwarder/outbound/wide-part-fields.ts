import { MimeParser } from "../../message/mime/mime-parser.ts";
import { answerLimits } from "../answers/search/find-leaks.ts";

/** A character of a field is a byte. */
const beyondAscii = /[\x80-\xff]/;

/**
 * Looks for a header field of a MIME part that is beyond ASCII (RFC 6532), as the message streams by. The header of the message itself
 * is not looked at, nor is what stands in an attached message: that is a body. Nothing is found beyond the limits of what is taken apart.
 */
export class WidePartFields {
  readonly #parser = new MimeParser(answerLimits);
  #isFound = false;

  push(chunk: Buffer): void {
    if (this.#isFound || this.#parser.isInLastEntity) return;
    this.#take(this.#parser.write(chunk));
  }

  /** Whether there was one, after the whole message. */
  end(): boolean {
    if (!this.#isFound) this.#take(this.#parser.end());
    return this.#isFound;
  }

  #take(events: ReturnType<MimeParser["write"]>): void {
    this.#isFound = events.some(
      ({ kind, entity }) => kind === "begin" && entity.parent && entity.fields.some(({ raw }) => beyondAscii.test(raw)),
    );
  }
}
