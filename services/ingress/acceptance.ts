import { Batcher } from "../platform/concurrency/batcher.ts";
import type { Database } from "../platform/db/types.ts";
import { type OutgoingEvent, publish } from "../platform/events/outbox.ts";
import type { RawMessage, RawMessages } from "./raw-messages.ts";

/** A message to be accepted: kept, and said of each of its emails, or neither. */
export interface Acceptance {
  readonly message: RawMessage;
  readonly events: readonly OutgoingEvent[];
}

/**
 * Makes messages durable. What arrives while a commit is on its way shares the next one, so that the disk's flush is
 * paid once for many.
 */
export class Acceptances {
  readonly #batches: Batcher<Acceptance, void>;

  constructor(db: Database, rawMessages: RawMessages) {
    this.#batches = new Batcher({
      name: "accept",
      slots: 1,
      maxItems: 64,
      run: (batch) =>
        db.tx(
          async (tx) => {
            await Promise.all([
              rawMessages.keep(
                tx,
                batch.map(({ message }) => message),
              ),
              publish(
                tx,
                batch.flatMap(({ events }) => events),
              ),
            ]);
            return batch.map(() => undefined);
          },
          { name: "accept" },
        ),
    });
  }

  /** Resolves once the message is durable. @throws whatever kept it from that; an Outage may leave it durable all the same. */
  accept(acceptance: Acceptance): Promise<void> {
    return this.#batches.submit(acceptance);
  }
}
