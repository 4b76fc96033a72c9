import { once } from "node:events";
import { PassThrough, type Readable } from "node:stream";

/** Writes an attachment to its store as its bytes come, no faster than the store takes them. */
export class AttachmentWriter<Stored> {
  readonly #bytes = new PassThrough();
  readonly #stored: Promise<Stored>;

  constructor(store: (bytes: Readable) => Promise<Stored>) {
    this.#stored = store(this.#bytes);
    // The next await of it throws the error.
    this.#stored.catch(() => undefined);
    this.#bytes.on("error", () => undefined);
  }

  /** @throws the error of the store */
  async write(bytes: Buffer): Promise<void> {
    if (bytes.length === 0 || this.#bytes.write(bytes)) return;
    await Promise.race([once(this.#bytes, "drain"), this.#stored]);
  }

  /** @throws the error of the store */
  finish(): Promise<Stored> {
    this.#bytes.end();
    return this.#stored;
  }

  /** Ends what was not written in full: the store fails. */
  async abandon(error: Error): Promise<void> {
    this.#bytes.destroy(error);
    await this.#stored.catch(() => undefined);
  }
}
