import { type HeaderField, unfoldedBody } from "../../message/header/fields.ts";
import type { Secrets } from "../../platform/security/secrets.ts";
import { describeOriginal, type Original } from "./original.ts";

const purpose = "returned-original";

/**
 * Recognizes the author's own header fields in what a bounce brings back. Nothing is kept of a message that was delivered
 * but a keyed digest (HMAC) of these fields, and any server may return anything, real addresses included.
 */
export class OriginalFingerprints {
  readonly #secrets: Secrets;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** Kept with the delivery; null where its author will not be told, or where there is nothing to recognize it by. */
  of(original: Original | undefined): string | null {
    if (!original?.isAnswerable || original.shown.length === 0) return null;
    return this.#secrets.sign(purpose, canonicalFields(original));
  }

  /** The returned message, if its fields are those of the fingerprint. @param returned the header section in a bounce */
  recognize(fingerprint: string | null, returned: readonly HeaderField[]): Original | undefined {
    if (fingerprint === null) return undefined;
    const original = describeOriginal(returned);
    return this.#secrets.verify(purpose, canonicalFields(original), fingerprint) ? original : undefined;
  }
}

/** The same however the fields were folded on their way. */
function canonicalFields({ shown }: Original): string {
  return shown.map((field) => `${field.name}:${unfoldedBody(field).replace(/[ \t]+/g, " ")}`).join("\n");
}
