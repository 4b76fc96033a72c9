import { LRUCache } from "lru-cache";

interface TtlCacheOptions {
  /** How long a value is good for. */
  ttlMs: number;
  /** Beyond this number the least recently used go. */
  maxEntries: number;
}

/**
 * Values that are costly to load, kept for a while and in bounded number. Invalidation also covers loads in progress: a value
 * whose load began before an invalidation is returned to its caller, and not kept.
 */
export class TtlCache<Value extends {}> {
  readonly #entries: LRUCache<string, Value>;
  #invalidations = 0;

  constructor({ ttlMs, maxEntries }: TtlCacheOptions) {
    // The clock is read for each value: a timer for each millisecond, which is the default, costs more.
    this.#entries = new LRUCache({ max: maxEntries, ttl: ttlMs, ttlResolution: 0 });
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** @param ttlMs where a value says itself how long it is good for, such as a DNS answer */
  set(key: string, value: Value, ttlMs?: number): void {
    this.#entries.set(key, value, ttlMs === undefined ? {} : { ttl: ttlMs });
  }

  /** The cached value, or the one that `load` gives. A failed load is not cached. */
  async getOrLoad(key: string, load: () => Promise<Value>): Promise<Value> {
    const cached = this.#entries.get(key);
    if (cached !== undefined) return cached;
    const invalidations = this.#invalidations;
    const value = await load();
    if (invalidations === this.#invalidations) this.#entries.set(key, value);
    return value;
  }

  /** Drops the values that `isStale` names. */
  invalidate(isStale: (value: Value) => boolean): void {
    this.#invalidations += 1;
    for (const [key, value] of this.#entries) if (isStale(value)) this.#entries.delete(key);
  }
}
