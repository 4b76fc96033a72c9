/** Remembers what was made for the latest keys, a bounded number of them; what fails is not remembered. */
export class Recent<Value> {
  readonly #limit: number;
  readonly #values = new Map<string, Promise<Value>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** What was made for the key, or is being made at this moment; else `make` makes it. */
  get(key: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#values.get(key);
    if (known) return known;
    const made = make();
    this.#values.set(key, made);
    made.catch(() => this.#values.delete(key));
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#limit && oldest !== undefined) this.#values.delete(oldest);
    return made;
  }
}
