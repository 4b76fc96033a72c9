import type { Secrets } from "../../platform/security/secrets.ts";
import { type HeaderField, unfoldedValue } from "../message/header-section.ts";
import { describeOriginal, type Original } from "../message/original.ts";

const purpose = "returned-original";

/**
 * Knows the author's own words again in what comes back with a bounce. Of a message that was delivered none are kept, and a
 * stranger's server may return anything, real addresses included.
 */
export class OriginalSeals {
  readonly #secrets: Secrets;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** To be kept with the delivery; null where its author will not be told, or has given nothing to know it by. */
  seal(original: Original | undefined): string | null {
    if (!original?.isAnswerable || original.shown.length === 0) return null;
    return this.#secrets.sign(purpose, wordsOf(original));
  }

  /** What came back, if it is what was sealed. @param returned the header section in a bounce */
  open(seal: string | null, returned: readonly HeaderField[]): Original | undefined {
    if (seal === null) return undefined;
    const original = describeOriginal(returned);
    return this.#secrets.verify(purpose, wordsOf(original), seal) ? original : undefined;
  }
}

/** However it was folded on its way. */
function wordsOf({ shown }: Original): string {
  return shown.map((field) => `${field.name}:${unfoldedValue(field).replace(/[ \t]+/g, " ")}`).join("\n");
}
