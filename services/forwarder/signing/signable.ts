import type { HeaderField } from "../../message/header/fields.ts";
import { relaxedField } from "./signature-field.ts";

/** What is signed of a message. */
export interface SignableContent {
  readonly fields: readonly HeaderField[];
  /** Base64, relaxed. */
  readonly bodyHash: string;
  /** Seconds since 1970. */
  readonly signedAtS: number;
}

/** A message to be signed, whose signatures cover much the same fields: each is canonicalized once. */
export class Signable {
  readonly bodyHash: string;
  readonly signedAtS: number;
  readonly #byName = new Map<string, HeaderField[]>();
  readonly #canonical = new Map<string, readonly string[]>();

  constructor({ fields, bodyHash, signedAtS }: SignableContent) {
    this.bodyHash = bodyHash;
    this.signedAtS = signedAtS;
    for (const field of fields.toReversed()) {
      const found = this.#byName.get(field.name);
      if (found) found.push(field);
      else this.#byName.set(field.name, [field]);
    }
  }

  get names(): Iterable<string> {
    return this.#byName.keys();
  }

  /** Fields of this name bottom up, as verifiers take them (RFC 6376 section 5.4.2). */
  named(name: string): readonly HeaderField[] {
    return this.#byName.get(name) ?? [];
  }

  /** The same fields in relaxed canonicalization. */
  canonical(name: string): readonly string[] {
    let found = this.#canonical.get(name);
    if (!found) {
      found = this.named(name).map(relaxedField);
      this.#canonical.set(name, found);
    }
    return found;
  }
}
