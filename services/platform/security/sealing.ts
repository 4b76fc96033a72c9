import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { ConfigurationError } from "../errors.ts";
import type { Secrets } from "./secrets.ts";

const nonceBytes = 12;
const tagBytes = 16;
/** A version byte and 4 bytes that name the key: 2 of 2^32 keys being named alike is caught by the tag. */
const markBytes = 5;
const version = 1;

/**
 * Keeps secrets at rest: AES-256-GCM (NIST SP 800-38D) under a key that is derived from SECRET_KEY. What is sealed begins with a
 * mark that names its key, so that rows of the previous SECRET_KEY are found and re-encrypted by plain SQL; see `reseal`.
 */
export class Sealer {
  readonly #keys: readonly { key: Buffer; mark: Buffer }[];

  constructor(secrets: Secrets, purpose: string) {
    this.#keys = secrets.keys(purpose).map((key) => ({ key, mark: markOf(key) }));
  }

  /**
   * @param place where it is kept (table and row), without which it does not open: nothing can be moved to another row.
   */
  seal(text: string, place: string): Buffer {
    const [{ key, mark }] = this.#keys as [{ key: Buffer; mark: Buffer }];
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.concat([mark, Buffer.from(place)]));
    return Buffer.concat([mark, nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  }

  /** Whether it was sealed under a key that this process has. */
  canOpen(sealed: Buffer): boolean {
    return this.#keyOf(sealed) !== undefined;
  }

  /** @throws ConfigurationError when it was sealed under a key that this process has not; Error when for another place, or tampered with. */
  open(sealed: Buffer, place: string): string {
    const mark = sealed.subarray(0, markBytes);
    const key = this.#keyOf(sealed);
    if (!key)
      throw new ConfigurationError([
        `SECRET_KEY: what is kept in ${place} was sealed under another: set that as SECRET_KEY_PREVIOUS`,
      ]);
    const nonce = sealed.subarray(markBytes, markBytes + nonceBytes);
    const cipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes })
      .setAAD(Buffer.concat([mark, Buffer.from(place)]))
      .setAuthTag(sealed.subarray(-tagBytes));
    return cipher.update(sealed.subarray(markBytes + nonceBytes, -tagBytes), undefined, "utf8") + cipher.final("utf8");
  }

  #keyOf(sealed: Buffer): Buffer | undefined {
    const mark = sealed.subarray(0, markBytes);
    return this.#keys.find((known) => known.mark.equals(mark))?.key;
  }

  /** How everything begins that the previous SECRET_KEY sealed; undefined when none is given. */
  get previousKeyMark(): Buffer | undefined {
    return this.#keys[1]?.mark;
  }
}

function markOf(key: Buffer): Buffer {
  const name = createHmac("sha256", key)
    .update("name of this key")
    .digest()
    .subarray(0, markBytes - 1);
  return Buffer.concat([Buffer.of(version), name]);
}
