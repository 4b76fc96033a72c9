import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";

/** Purposes whose keys are kept; names of callers, which anybody can make up, are among them. */
const keptPurposes = 500;

/**
 * Keys for every purpose, all hanging on SECRET_KEY (HKDF, RFC 5869). While SECRET_KEY is rotated, what the
 * previous one signed still verifies; new signatures are made with the current one.
 */
export class Secrets {
  readonly #current: string;
  readonly #previous: string | undefined;
  readonly #derived = new LRUCache<string, readonly Buffer[]>({ max: keptPurposes });
  /** The same, as node:crypto takes them at a quarter of the cost. */
  readonly #signing = new LRUCache<string, readonly KeyObject[]>({ max: keptPurposes });

  constructor(current: string, previous?: string) {
    this.#current = current;
    this.#previous = previous;
  }

  /** 32-byte keys for a purpose: the current one, then the previous one while there is one. */
  keys(purpose: string): readonly [Buffer, ...Buffer[]] {
    let keys = this.#derived.get(purpose);
    if (!keys) {
      keys = [this.#current, this.#previous]
        .filter((key) => key !== undefined)
        .map((key) => Buffer.from(hkdfSync("sha256", key, "postern", purpose, 32)));
      this.#derived.set(purpose, keys);
    }
    return keys as readonly [Buffer, ...Buffer[]];
  }

  /** Whether a SECRET_KEY is being replaced. */
  get hasPrevious(): boolean {
    return this.#previous !== undefined;
  }

  /** Passwords of a database role: the current key's, then the previous one's. They follow from the keys as they did before `keys` was there. */
  rolePasswords(role: string): readonly [string, ...string[]] {
    const passwords = [this.#current, this.#previous]
      .filter((key) => key !== undefined)
      .map((key) => createHmac("sha256", key).update(`database role ${role}`).digest("base64url"));
    return passwords as [string, ...string[]];
  }

  /** HMAC-SHA256 of a text under the purpose's current key, 43 characters of base64url. */
  sign(purpose: string, text: string): string {
    const [current] = this.signingKeys(purpose);
    return hmac(current, text).toString("base64url");
  }

  /** Whether a signature was made by `sign` for this purpose and text; compared in constant time. */
  verify(purpose: string, text: string, signature: string): boolean {
    const given = Buffer.from(signature, "base64url");
    return this.signingKeys(purpose).some((key) => {
      const expected = hmac(key, text);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }

  /** The same keys, as node:crypto's HMAC takes them without making them ready at each call. */
  signingKeys(purpose: string): readonly [KeyObject, ...KeyObject[]] {
    let keys = this.#signing.get(purpose);
    if (!keys) {
      keys = this.keys(purpose).map((key) => createSecretKey(key));
      this.#signing.set(purpose, keys);
    }
    return keys as readonly [KeyObject, ...KeyObject[]];
  }
}

function hmac(key: KeyObject, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
