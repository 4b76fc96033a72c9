import type { Callback } from "./callback.ts";

/** Counts what is in hand by a key, against a limit for each. */
class Shares {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  isFull(key: string): boolean {
    return (this.#counts.get(key) ?? 0) >= this.#limit;
  }

  full(): string[] {
    return [...this.#counts.keys()].filter((key) => this.isFull(key));
  }

  add(key: string, change: 1 | -1): void {
    const count = (this.#counts.get(key) ?? 0) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

/** The callbacks that this process works on now, and how many more it may take: in all, to each host and for each owner. */
export class InHand {
  readonly #limit: number;
  readonly #callbacks = new Map<string, Callback>();
  readonly #hosts: Shares;
  readonly #owners: Shares;
  #changed = Promise.withResolvers<void>();

  /** @param limit in all; half of it is the most that one owner gets, however many hosts he names */
  constructor(limit: number, perHost: number) {
    this.#limit = limit;
    this.#hosts = new Shares(perHost);
    this.#owners = new Shares(Math.ceil(limit / 2));
  }

  get size(): number {
    return this.#callbacks.size;
  }

  get room(): number {
    return this.#limit - this.#callbacks.size;
  }

  /** What is not to be claimed now. */
  occupied() {
    return { emailIds: [...this.#callbacks.keys()], hosts: this.#hosts.full(), owners: this.#owners.full() };
  }

  /** Takes what there is room for at each host; what is too many for one must not take the room of others. */
  take(claimed: readonly Callback[]): { taken: Callback[]; tooMany: Callback[] } {
    const taken: Callback[] = [];
    const tooMany: Callback[] = [];
    for (const callback of claimed) {
      if (this.#hosts.isFull(callback.host) || this.#owners.isFull(callback.ownerId)) {
        tooMany.push(callback);
        continue;
      }
      this.#hosts.add(callback.host, 1);
      this.#owners.add(callback.ownerId, 1);
      this.#callbacks.set(callback.emailId, callback);
      taken.push(callback);
    }
    return { taken, tooMany };
  }

  done({ emailId, host, ownerId }: Callback): void {
    if (!this.#callbacks.delete(emailId)) return;
    this.#hosts.add(host, -1);
    this.#owners.add(ownerId, -1);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Until there is room for this many. */
  async roomFor(count: number): Promise<void> {
    while (this.room < count) await this.#changed.promise;
  }

  /** Until nothing is in hand. */
  async emptied(): Promise<void> {
    while (this.size > 0) await this.#changed.promise;
  }
}
