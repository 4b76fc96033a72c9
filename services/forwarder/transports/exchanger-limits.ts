import { asError } from "../../platform/errors.ts";

/** A server has as many of our sessions as it may: a delivery to it waits, and that is no attempt. */
export class ExchangerBusy extends Error {
  constructor(address: string) {
    super(`as many sessions with ${address} as may be are open`);
    this.name = "ExchangerBusy";
  }
}

/**
 * Bounds the sessions with one IP address that are being opened or carry a message, for all domains together: a server that
 * holds every session holds no more of ours than these.
 */
export class ExchangerLimits {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @returns what ends it @throws ExchangerBusy */
  open(address: string): () => void {
    if ((this.#counts.get(address) ?? 0) >= this.#limit) throw new ExchangerBusy(address);
    return this.use(address);
  }

  /** Of a session that is open already, and so is never refused. @returns what ends it */
  use(address: string): () => void {
    this.#change(address, 1);
    return () => this.#change(address, -1);
  }

  #change(address: string, by: 1 | -1): void {
    const count = (this.#counts.get(address) ?? 0) + by;
    if (count > 0) this.#counts.set(address, count);
    else this.#counts.delete(address);
  }
}

/** The one place that opening a session takes, while it goes from address to address. */
export class ExchangerSlot {
  readonly #exchangers: ExchangerLimits;
  #leave: (() => void) | undefined;

  constructor(exchangers: ExchangerLimits) {
    this.#exchangers = exchangers;
  }

  /** @returns why it cannot be had */
  moveTo(address: string): Error | undefined {
    this.leave();
    try {
      this.#leave = this.#exchangers.open(address);
      return undefined;
    } catch (error) {
      return asError(error);
    }
  }

  leave(): void {
    this.#leave?.();
    this.#leave = undefined;
  }
}
