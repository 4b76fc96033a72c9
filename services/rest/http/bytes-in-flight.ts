import { Outage, Refusal } from "../../platform/errors.ts";

interface BytesInFlightLimits {
  /** Of all calls together. */
  totalBytes: number;
  /** Of the calls that share a key: an owner, or a client's network. */
  perKeyBytes: number;
}

const retryAfterS = 1;

/**
 * Bounds the bytes of bodies that are in memory at once, over all and for each key, as they come in: who says that a long body
 * follows and sends none takes no room.
 */
export class BytesInFlight {
  readonly #limits: BytesInFlightLimits;
  readonly #byKey = new Map<string, number>();
  #total = 0;

  constructor(limits: BytesInFlightLimits) {
    this.#limits = limits;
  }

  get totalBytes(): number {
    return this.#total;
  }

  /** Runs `task` with a function that counts bytes for the keys given; they are free again when the task has ended. */
  async run<T>(keys: readonly string[], task: (count: (bytes: number) => void) => Promise<T>): Promise<T> {
    let counted = 0;
    try {
      return await task((bytes) => {
        counted += bytes;
        this.#add(keys, bytes);
        this.#check(keys);
      });
    } finally {
      this.#add(keys, -counted);
    }
  }

  #add(keys: readonly string[], bytes: number): void {
    this.#total += bytes;
    for (const key of keys) {
      const ofKey = (this.#byKey.get(key) ?? 0) + bytes;
      if (ofKey === 0) this.#byKey.delete(key);
      else this.#byKey.set(key, ofKey);
    }
  }

  /** @throws Refusal RateLimited for one key's share, Outage for the whole */
  #check(keys: readonly string[]): void {
    const { totalBytes, perKeyBytes } = this.#limits;
    if (keys.some((key) => (this.#byKey.get(key) ?? 0) > perKeyBytes))
      throw new Refusal("RateLimited", { public: "Too many bytes are being sent here at once.", retryAfterS });
    if (this.#total > totalBytes)
      throw new Outage("rest", { operator: `more than ${totalBytes} bytes of bodies are in flight`, retryAfterS });
  }
}
