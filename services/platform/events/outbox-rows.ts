import { binaryArray } from "../db/binary-values.ts";
import type { Database } from "../db/types.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { OutboxRow } from "./outbox-signals.ts";
import { type EventSink, RowsInFlight } from "./rows-in-flight.ts";

interface OutboxRowsSettings {
  readonly db: Database;
  readonly sink: EventSink;
  /** Topics whose rows are left, for some time, to the process that has committed them. */
  readonly localTopics: ReadonlySet<string>;
  readonly logger: Logger;
  /** Called when rows can be read again after the limit was reached. */
  onRoom(): void;
}

export const readLimit = 500;
/** What a process that was killed has left waits for so long, about as by Kafka. Under load rows of local topics are handed over within a second. */
const leftAfterMs = 15_000;

/** The rows of an outbox that its relay is sending: read once, or taken as they were committed; put back to be read again if refused. */
export class OutboxRows {
  readonly #db: Database;
  readonly #localTopics: ReadonlySet<string>;
  readonly #inFlight: RowsInFlight;
  #refused: number[] = [];
  /** The id behind the last row that was read or taken; undefined before the first. */
  #nextId: number | undefined;
  #isReading = false;
  /** There may be rows in the table that are not in flight. */
  #isBehind = true;

  constructor({ db, sink, localTopics, logger, onRoom }: OutboxRowsSettings) {
    this.#db = db;
    this.#localTopics = localTopics;
    const onRefused = (rowIds: readonly number[]) => void this.#refused.push(...rowIds);
    this.#inFlight = new RowsInFlight({ db, sink, logger, onRoom, onRefused });
  }

  get isFull(): boolean {
    return this.#inFlight.isFull;
  }

  /**
   * The oldest rows that are not being sent yet. They are found by being there, never by "id greater than the last": a
   * transaction that commits late has a low id.
   * @param all those of local topics as well that another process may be handing over
   */
  async read({ all = false } = {}): Promise<OutboxRow[]> {
    this.#isReading = true;
    this.#isBehind = false;
    try {
      const { rows } = await this.#db.query<OutboxRow>(
        // Order by outbox.id: "id" alone is the event's here. Never under a statement name: a generic plan would compare
        // each row with each id being sent, one by one. By the process's clock against the server's: if it is wrong by more, rows are
        // sent besides. A case, since the planner would take a condition on topics that were rare a while ago for one that finds hardly
        // a row, and sort all there are.
        `select id as row_id, event_id as id, topic, key, payload, headers, occurred_at
           from outbox
          where outbox.id <> all ($1::bigint[])
            and case when topic = any ($2::text[])
                     then occurred_at not between now() - $3 * interval '1 ms' and now() + $3 * interval '1 ms'
                     else true end
          order by outbox.id limit ${readLimit}`,
        [binaryArray("bigint", [...this.#inFlight.ids]), all ? [] : [...this.#localTopics], leftAfterMs],
      );
      this.#add(rows);
      if (rows.length === readLimit) this.#isBehind = true;
      return rows;
    } catch (error) {
      this.#isBehind = true;
      throw error;
    } finally {
      this.#isReading = false;
    }
  }

  /**
   * Takes rows that this process has just committed, so that they need not be read. False if rows before them may not be in flight yet, or
   * a read may give these too: their ids must follow upon the last, since each row that somebody else inserts leaves a gap.
   * @param committed all rows of the transaction; those that are not to be taken leave no gap
   */
  take(committed: readonly OutboxRow[], rows: readonly OutboxRow[]): boolean {
    const isNext =
      committed.length > 0 && committed.every(({ rowId }, at) => rowId === (this.#nextId ?? Number.NaN) + at);
    const isTaken = isNext && (rows.length === 0 || !(this.#isBehind || this.#isReading || this.isFull));
    if (isTaken) {
      this.#add(rows);
      this.#pass(committed);
    } else if (rows.length > 0) this.#isBehind = true;
    return isTaken;
  }

  #add(rows: readonly OutboxRow[]): void {
    this.#inFlight.add(rows);
    this.#pass(rows);
  }

  #pass(rows: readonly OutboxRow[]): void {
    for (const { rowId } of rows) this.#nextId = Math.max(this.#nextId ?? 0, rowId + 1);
  }

  /** Hands over rows that were read or taken. Those that the sink refuses are not read again before `putBack`. */
  send(rows: readonly OutboxRow[]): void {
    this.#inFlight.send(rows);
  }

  /** Lets the rows that were refused be read again. */
  putBack(): void {
    this.#isBehind = true;
    this.#inFlight.release(this.#refused);
    this.#refused = [];
  }

  /** Waits for what is being sent, for some seconds at most, and deletes what was taken. */
  drain(): Promise<void> {
    return this.#inFlight.drain();
  }
}
