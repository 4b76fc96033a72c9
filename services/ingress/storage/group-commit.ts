import { Batcher } from "../../platform/concurrency/batcher.ts";
import type { Database } from "../../platform/db/types.ts";
import { type OutgoingEvent, publish } from "../../platform/events/outbox.ts";
import type { RawMessage, RawMessages } from "./raw-messages.ts";

/** What is committed for one message: its bytes and an event for each of its emails. */
interface MessageCommit {
  readonly rawMessage: RawMessage;
  readonly events: readonly OutgoingEvent[];
}

/** Commits messages in groups: those that arrive during a commit share the next one, and so one flush of the disk. */
export class GroupCommit {
  readonly #batches: Batcher<MessageCommit, void>;

  constructor(db: Database, rawMessages: RawMessages) {
    this.#batches = new Batcher({
      name: "accept",
      slots: 1,
      maxItems: 64,
      // A message that cannot be stored is refused by itself.
      onFailure: "isolate",
      run: (batch) =>
        db.tx(
          async (tx) => {
            await Promise.all([
              rawMessages.keep(
                tx,
                batch.map(({ rawMessage }) => rawMessage),
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

  /** Resolves once the message is durable. @throws if it is not; after an Outage it may be durable all the same. */
  commit(message: MessageCommit): Promise<void> {
    return this.#batches.submit(message);
  }
}
