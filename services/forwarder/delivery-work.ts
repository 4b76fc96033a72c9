import { messageOf } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import type { RecordingBatch } from "../platform/recording-batch.ts";
import { PollingWork, type Work } from "../platform/work.ts";
import { type AttemptOptions, attemptDelivery } from "./attempt.ts";
import type { Claims } from "./claims.ts";
import type { Delivery } from "./delivery.ts";
import { InHand } from "./in-hand.ts";
import type { Ending } from "./settle.ts";

export interface DeliveryWorkOptions extends AttemptOptions {
  claims: Claims;
  endings: RecordingBatch<Ending>;
  /** Deliveries in hand at once. */
  concurrency: number;
  leaseS: number;
  logger: Logger;
  onEnding(delivery: Delivery, ending: Ending): void;
}

const claimSize = 64;
const pollMs = 500;

/** Claims what is due and sends it, many at a time; looks again when woken, when one is done, and every half second. */
export class DeliveryWork implements Work {
  readonly name = "deliveries";
  readonly #options: DeliveryWorkOptions;
  readonly #polling: PollingWork;
  readonly #inHand: InHand;
  #renewal: NodeJS.Timeout | undefined;

  constructor(options: DeliveryWorkOptions) {
    this.#options = options;
    this.#inHand = new InHand(options.concurrency, options.transport.perDomain);
    this.#polling = new PollingWork({
      name: this.name,
      intervalMs: pollMs,
      logger: options.logger,
      run: (signal) => this.#claim(signal),
    });
  }

  get inHandCount(): number {
    return this.#inHand.size;
  }

  start(): void {
    this.#renewal ??= setInterval(() => void this.#renew(), (this.#options.leaseS * 1_000) / 3);
    this.#polling.start();
  }

  /** Something became due. */
  wake(): void {
    this.#polling.wake();
  }

  async stop(): Promise<void> {
    await this.#polling.stop();
    await this.#inHand.emptied();
    await this.#options.endings.drain();
    clearInterval(this.#renewal);
    await this.#options.transport.close();
  }

  async #claim(stopping: AbortSignal): Promise<boolean> {
    await this.#inHand.roomFor(Math.min(claimSize, this.#options.concurrency) / 2);
    if (stopping.aborted) return false;
    const limit = Math.min(claimSize, this.#inHand.room);
    const claimed = await this.#options.claims.take(limit, this.#inHand.ids(), this.#inHand.fullDomains());
    const { taken, tooMany } = this.#inHand.take(claimed);
    for (const delivery of taken) void this.#deliver(delivery);
    await this.#options.claims.giveBack(tooMany.map(({ id }) => id));
    return claimed.length === limit;
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const ending = await attemptDelivery(delivery, this.#options);
    await this.#options.endings.add(ending);
    this.#inHand.done(delivery);
    this.#options.onEnding(delivery, ending);
  }

  async #renew(): Promise<void> {
    try {
      await this.#options.claims.renew(this.#inHand.ids());
    } catch (error) {
      this.#options.logger.warn(
        { err: error },
        `cannot lengthen the leases of deliveries in hand: ${messageOf(error)}`,
      );
    }
  }
}
