import type { Delivery } from "./delivery.ts";

/** The deliveries that this process works on now, and how many more it may take. */
export class InHand {
  readonly #limit: number;
  readonly #perDomain: number;
  readonly #deliveries = new Map<string, Delivery>();
  readonly #counts = new Map<string, number>();
  #changed: (() => void) | undefined;

  constructor(limit: number, perDomain: number) {
    this.#limit = limit;
    this.#perDomain = perDomain;
  }

  get size(): number {
    return this.#deliveries.size;
  }

  get room(): number {
    return this.#limit - this.#deliveries.size;
  }

  ids(): string[] {
    return [...this.#deliveries.keys()];
  }

  /** Domains that have all they may. */
  fullDomains(): string[] {
    return [...this.#counts].filter(([, count]) => count >= this.#perDomain).map(([domain]) => domain);
  }

  /** Takes what there is room for at each domain; what is too many for one must not take the room of others. */
  take(claimed: readonly Delivery[]): { taken: Delivery[]; tooMany: Delivery[] } {
    const taken: Delivery[] = [];
    const tooMany: Delivery[] = [];
    for (const delivery of claimed) {
      const count = this.#counts.get(delivery.domain) ?? 0;
      if (count >= this.#perDomain) {
        tooMany.push(delivery);
        continue;
      }
      this.#counts.set(delivery.domain, count + 1);
      this.#deliveries.set(delivery.id, delivery);
      taken.push(delivery);
    }
    return { taken, tooMany };
  }

  done({ id, domain }: Delivery): void {
    this.#deliveries.delete(id);
    const count = (this.#counts.get(domain) ?? 0) - 1;
    if (count > 0) this.#counts.set(domain, count);
    else this.#counts.delete(domain);
    this.#changed?.();
  }

  /** Until there is room for this many. */
  async roomFor(count: number): Promise<void> {
    while (this.room < count) await this.#change();
  }

  /** Until nothing is in hand. */
  async emptied(): Promise<void> {
    while (this.size > 0) await this.#change();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed = resolve;
    });
  }
}
