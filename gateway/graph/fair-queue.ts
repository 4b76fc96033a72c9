import { Refusal } from "../../services/platform/errors.ts";

/** Those who may wait, of one asker and in all. */
const maxWaiting = { each: 200, all: 2_000 };

/** A queue that is served round-robin over those who ask, so that whoever asks much waits for itself. */
export class FairQueue<T> {
  /** By asker, the next one first. */
  readonly #waiting = new Map<string, T[]>();
  #count = 0;

  /** @throws Refusal RateLimited where too many wait already */
  add(asker: string, item: T): void {
    const own = this.#waiting.get(asker) ?? [];
    if (own.length >= maxWaiting.each || this.#count >= maxWaiting.all)
      throw new Refusal("RateLimited", { public: "Too many queries wait to be read at once.", retryAfterS: 5 });
    own.push(item);
    this.#waiting.set(asker, own);
    this.#count += 1;
  }

  next(): T | undefined {
    for (const [asker, own] of this.#waiting) {
      const item = own.shift();
      this.#waiting.delete(asker);
      if (own.length > 0) this.#waiting.set(asker, own);
      this.#count -= 1;
      return item;
    }
    return undefined;
  }
}
