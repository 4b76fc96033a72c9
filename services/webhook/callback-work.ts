import { messageOf } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import type { RecordingBatch } from "../platform/recording-batch.ts";
import { SpanKind, withSpan } from "../platform/telemetry.ts";
import { PollingWork, type Work } from "../platform/work.ts";
import { type AttemptOptions, attemptCallback, type Identity } from "./attempt.ts";
import type { Callback, Ending } from "./callback.ts";
import type { Claims } from "./claims.ts";
import { InHand } from "./in-hand.ts";

export interface CallbackWorkOptions extends AttemptOptions {
  claims: Claims;
  endings: RecordingBatch<Ending>;
  /** Usernames and secrets of those of the accounts that exist. */
  identities(accountIds: string[]): Promise<Identity[]>;
  /** Callbacks in hand at once: in all, and to one host. */
  concurrency: number;
  perHost: number;
  leaseS: number;
  logger: Logger;
  onEnding(ending: Ending): void;
}

const claimSize = 64;
const pollMs = 500;

/** Claims what is due and calls, many at a time; looks again when woken, when room came free, and every half second. */
export class CallbackWork implements Work {
  readonly name = "callbacks";
  readonly #options: CallbackWorkOptions;
  readonly #polling: PollingWork;
  readonly #inHand: InHand;
  /** Something was left for want of room. */
  #isMoreWaiting = false;
  #renewal: NodeJS.Timeout | undefined;

  constructor(options: CallbackWorkOptions) {
    this.#options = options;
    this.#inHand = new InHand(options.concurrency, options.perHost);
    const { name } = this;
    this.#polling = new PollingWork({ name, intervalMs: pollMs, logger: options.logger, run: () => this.#claim() });
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
  }

  async #claim(): Promise<boolean> {
    await this.#inHand.roomFor(1);
    const limit = Math.min(claimSize, this.#inHand.room);
    const occupied = this.#inHand.occupied();
    const claimed = await this.#options.claims.take(limit, occupied);
    const { taken, tooMany } = this.#inHand.take(claimed);
    this.#isMoreWaiting = tooMany.length > 0 || occupied.hosts.length > 0 || occupied.owners.length > 0;
    // Side by side: whatever goes wrong with one, the other is done.
    await Promise.all([this.#start(taken), this.#options.claims.giveBack(tooMany.map(({ emailId }) => emailId))]);
    return claimed.length === limit;
  }

  /** @throws Outage of auth, after what was taken is given back as it was: the work then rests for a while. */
  async #start(taken: readonly Callback[]): Promise<void> {
    if (taken.length === 0) return;
    try {
      const identities = await this.#options.identities([...new Set(taken.map(({ ownerId }) => ownerId))]);
      const byOwner = new Map(identities.map((identity) => [identity.accountId, identity]));
      for (const callback of taken) void this.#call(callback, byOwner.get(callback.ownerId));
    } catch (error) {
      for (const callback of taken) this.#inHand.done(callback);
      await this.#options.claims.giveBack(taken.map(({ emailId }) => emailId));
      throw error;
    }
  }

  async #call(callback: Callback, identity: Identity | undefined): Promise<void> {
    const span = {
      kind: SpanKind.CLIENT,
      parent: callback.trace,
      attributes: { "postern.email_id": callback.emailId },
    };
    const ending = await withSpan("callback", span, () => attemptCallback(callback, identity, this.#options));
    await this.#options.endings.add(ending);
    this.#inHand.done(callback);
    this.#options.onEnding(ending);
    if (this.#isMoreWaiting) this.wake();
  }

  async #renew(): Promise<void> {
    try {
      await this.#options.claims.renew(this.#inHand.occupied().emailIds);
    } catch (error) {
      this.#options.logger.warn({ err: error }, `cannot lengthen the leases of callbacks in hand: ${messageOf(error)}`);
    }
  }
}
