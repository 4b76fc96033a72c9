/**
 * What was found out a moment ago, for those who ask again at once. Bounded in number and age, and forgotten on demand: what was
 * on its way to be remembered when something was forgotten is not remembered either.
 */
export class ShortMemory<Value> {
  readonly #lifetimeMs: number;
  readonly #limit: number;
  /** In the order in which they were remembered. */
  readonly #kept = new Map<string, { value: Value; untilMs: number }>();
  #forgettings = 0;

  constructor({ lifetimeMs, limit }: { lifetimeMs: number; limit: number }) {
    this.#lifetimeMs = lifetimeMs;
    this.#limit = limit;
  }

  /** What is known, or what `find` finds. What it throws is not remembered. */
  async recall(key: string, find: () => Promise<Value>): Promise<Value> {
    const kept = this.#kept.get(key);
    if (kept && performance.now() < kept.untilMs) return kept.value;
    const forgettings = this.#forgettings;
    const value = await find();
    if (forgettings === this.#forgettings) this.#remember(key, value);
    return value;
  }

  forget(isMeant: (value: Value) => boolean): void {
    this.#forgettings++;
    for (const [key, { value }] of this.#kept) if (isMeant(value)) this.#kept.delete(key);
  }

  #remember(key: string, value: Value): void {
    this.#kept.delete(key);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= this.#limit && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, { value, untilMs: performance.now() + this.#lifetimeMs });
  }
}
