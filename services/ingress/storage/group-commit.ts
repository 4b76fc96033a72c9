import { Batcher } from "../../platform/concurrency/batcher.ts";
import type { Database } from "../../platform/db/types.ts";
import { publish } from "../../platform/events/outbox/outbox.ts";
import { recordNewAnswers } from "../answers/replay-protection.ts";
import { recordNewRequests, type SendRequest } from "../sending/idempotency-keys.ts";
import type { RawMessage, RawMessages } from "./raw-messages.ts";

/** What is committed for one message. */
interface MessageCommit {
  readonly rawMessage: RawMessage;
  /** Of an answer: one with the same digest is stored once. */
  readonly digest?: Buffer | undefined;
  /** Of mail that an owner composed: the same request again, by its Idempotency-Key, is stored once. */
  readonly request?: SendRequest | undefined;
}

/** Under load a 250 comes up to this much later, and a third of the commits do the work of all. */
const spacing = { times: 3, atMostMs: 10 };
/** Clients that wait for their 250 send nothing more: once most of them wait, time alone makes no commit larger. */
const enoughShare = 0.8;

/** Commits messages in groups: those that arrive during a commit share the next one, and so one flush of the disk. */
export class GroupCommit {
  readonly #batches: Batcher<MessageCommit, boolean>;

  constructor(db: Database, rawMessages: RawMessages) {
    this.#batches = new Batcher({
      name: "accept",
      slots: 1,
      maxItems: 64,
      spacing,
      enoughShare,
      // A message that cannot be stored is refused by itself.
      onFailure: "isolate",
      run: (batch) =>
        db.tx(
          async (tx) => {
            const areAnswersNew = await recordNewAnswers(
              tx,
              batch.map(({ digest }) => digest),
            );
            const areRequestsNew = await recordNewRequests(
              tx,
              batch.map(({ request }) => request),
            );
            const areNew = batch.map((_, at) => areAnswersNew[at] === true && areRequestsNew[at] === true);
            const kept = batch.filter((_, at) => areNew[at]);
            await Promise.all([
              rawMessages.keep(
                tx,
                kept.map(({ rawMessage }) => rawMessage),
              ),
              publish(
                tx,
                kept.flatMap(({ rawMessage }) => rawMessage.events),
              ),
            ]);
            return areNew;
          },
          { name: "accept" },
        ),
    });
  }

  /**
   * Resolves once the message is durable; to false if it is an answer, or a request to send mail, that was taken before.
   * @throws any error if it could not be made durable; after an Outage it may be durable nevertheless
   */
  commit(message: MessageCommit): Promise<boolean> {
    return this.#batches.submit(message);
  }
}
