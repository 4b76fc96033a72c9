import { allTopics } from "../../../../proto/topics.ts";
import { binaryArray } from "../../db/binary-values.ts";
import type { Database } from "../../db/types.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { EventSink, OutboxRow } from "../types.ts";
import { RowsInFlight } from "./rows-in-flight.ts";
import { everyTopic } from "./signals.ts";

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
/** What a killed process has left waits for so long: as long as Kafka takes to give its partitions to others. */
const abandonedAfterMs = 15_000;
/** As long as a transaction may be open that does nothing (db/connection.ts). */
const openTransactionMs = 60_000;
const orderedTopics = new Set(allTopics.filter(({ isOrdered }) => isOrdered).map(({ name }) => name));

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
  /** When a read last found ids left out, or was the first, on performance.now's clock: transactions with lower ids may commit later. */
  #gapAtMs = Number.NEGATIVE_INFINITY;

  constructor({ db, sink, localTopics, logger, onRoom }: OutboxRowsSettings) {
    this.#db = db;
    this.#localTopics = localTopics;
    const onRefused = (rows: readonly OutboxRow[]) => void this.#refused.push(...rows.map(({ rowId }) => rowId));
    this.#inFlight = new RowsInFlight({ db, sink, logger, onRoom, onRefused });
  }

  get isFull(): boolean {
    return this.#inFlight.isFull;
  }

  /**
   * The oldest rows that are not being sent yet. They are found by being there, never by "id greater than the last": a
   * transaction that commits late has a low id.
   * @param leftToRelay topics of which there are rows that no process hands over: they are read however fresh they are
   */
  async read(leftToRelay: ReadonlySet<string> = new Set()): Promise<OutboxRow[]> {
    this.#isReading = true;
    this.#isBehind = false;
    try {
      const { rows } = await this.#db.query<OutboxRow>(
        // Order by outbox.id: "id" alone is the event's here. Never under a statement name: a generic plan would compare
        // each row with each id being sent, one by one.
        // A case, since the planner takes a condition on topics that were rare a while ago for one that finds hardly a row, and sorts them all.
        // Where the publisher's clock is wrong by more, its rows are sent besides being handed over.
        `select id as row_id, event_id as id, topic, key, payload, headers, occurred_at
           from outbox
          where outbox.id <> all ($1::bigint[])
            and case when topic = any ($2::text[])
                     then occurred_at not between now() - $3 * interval '1 ms' and now() + $3 * interval '1 ms'
                     else true end
          order by outbox.id limit ${readLimit}`,
        [binaryArray("bigint", [...this.#inFlight.ids]), this.#waiting(leftToRelay), abandonedAfterMs],
      );
      if (rows.length > 0 && !this.#areNext(rows)) this.#gapAtMs = performance.now();
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
   * a read may give these too: their ids must follow upon the last, since each row that somebody else inserts leaves a gap. Ids that a read left
   * out may be those of a transaction that commits before this one, so that what is ordered has to be read behind it.
   * @param committed what was published with them; what is not to be taken leaves no gap
   */
  take(rows: readonly OutboxRow[], committed = rows): boolean {
    const mayOvertake =
      performance.now() - this.#gapAtMs < openTransactionMs && rows.some(({ topic }) => orderedTopics.has(topic));
    if (this.#isBehind || this.#isReading || this.isFull || mayOvertake || !this.#areNext(committed)) {
      this.#isBehind = true;
      return false;
    }
    this.#add(rows);
    this.#pass(committed);
    return true;
  }

  /** The same of rows none of which is to be taken. */
  skip(committed: readonly OutboxRow[]): void {
    if (this.#areNext(committed)) this.#pass(committed);
  }

  #areNext(rows: readonly OutboxRow[]): boolean {
    return rows.length > 0 && rows.every(({ rowId }, at) => rowId === (this.#nextId ?? Number.NaN) + at);
  }

  /** Local topics whose rows are not read before they are old. */
  #waiting(leftToRelay: ReadonlySet<string>): string[] {
    return leftToRelay.has(everyTopic) ? [] : [...this.#localTopics].filter((topic) => !leftToRelay.has(topic));
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
