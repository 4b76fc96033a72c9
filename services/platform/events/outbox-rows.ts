import { setTimeout as delay } from "node:timers/promises";
import { isPassing } from "../concurrency/retry.ts";
import { binaryArray } from "../db/binary-values.ts";
import type { Database } from "../db/types.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { OutboxRow } from "./outbox-signals.ts";
import type { EncodedEvent } from "./types.ts";

/** Takes events off an outbox. */
export interface EventSink {
  /**
   * Called with events in the order of the outbox, mostly with what one transaction has published, without waiting for the former call;
   * keeps that order per key where the topic is ordered. Resolves once the rows may go. Rejects only because a taker has stopped: then they stay.
   */
  send(events: readonly EncodedEvent[]): Promise<void>;
}

export const readLimit = 500;
/** Rows read but not yet deleted, at most. Further rows stay in the table until there is room. */
const inFlightLimit = 5_000;
/** How long deletions gather. A row that is sent again because of it is dropped by the inbox. */
const deleteAfterMs = 200;
/** How long a stop waits for what a sink has been given. */
const drainMs = 5_000;

/** Rows of all topics but some, or of some topics alone and only once they are so old. */
type OutboxScope =
  | { readonly except: ReadonlySet<string> }
  | { readonly only: ReadonlySet<string>; readonly olderThanMs: number };

interface OutboxRowsSettings {
  readonly db: Database;
  readonly scope: OutboxScope;
  readonly sink: EventSink;
  readonly logger: Logger;
  /** Called when rows can be read again after the limit was reached. */
  onRoom(): void;
}

/** The rows of an outbox that are handed to a sink: read once, then deleted in bulk, or put back to be read again. */
export class OutboxRows {
  readonly #db: Database;
  readonly #scope: OutboxScope;
  readonly #sink: EventSink;
  readonly #logger: Logger;
  readonly #onRoom: () => void;
  readonly #inFlight = new Set<number>();
  readonly #sending = new Set<Promise<void>>();
  #taken: number[] = [];
  #refused: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The id behind the last row that was read or taken; undefined before the first. */
  #nextId: number | undefined;
  #isReading = false;
  /** There may be rows in the table that are not in flight. */
  #isBehind = true;

  constructor({ db, scope, sink, logger, onRoom }: OutboxRowsSettings) {
    this.#db = db;
    this.#scope = scope;
    this.#sink = sink;
    this.#logger = logger;
    this.#onRoom = onRoom;
  }

  get isFull(): boolean {
    return this.#inFlight.size >= inFlightLimit;
  }

  /**
   * The oldest rows of the scope that are not being sent yet. They are found by being there, never by "id greater than the last": a
   * transaction that commits late has a low id.
   */
  async read(): Promise<OutboxRow[]> {
    if (this.#taken.length > 0) this.#deleteSoon();
    this.#isReading = true;
    this.#isBehind = false;
    const { sql, params } = whereOf(this.#scope);
    try {
      const { rows } = await this.#db.query<OutboxRow>(
        // Order by outbox.id: "id" alone is the event's here. Never under a statement name: a generic plan would compare
        // each row with each id being sent, one by one.
        `select id as row_id, event_id as id, topic, key, payload, headers, occurred_at
           from outbox where outbox.id <> all ($1::bigint[]) and ${sql} order by outbox.id limit ${readLimit}`,
        [binaryArray("bigint", [...this.#inFlight]), ...params],
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
   */
  take(rows: readonly OutboxRow[]): boolean {
    const isNext = rows.length > 0 && rows.every(({ rowId }, at) => rowId === (this.#nextId ?? Number.NaN) + at);
    if (this.#isBehind || this.#isReading || this.isFull || !isNext) {
      this.#isBehind = true;
      return false;
    }
    this.#add(rows);
    return true;
  }

  /** The same of rows in whichever order, which no read gives yet. False if there is no room. */
  takeUnordered(rows: readonly OutboxRow[]): boolean {
    if (this.isFull) return false;
    this.#add(rows);
    return true;
  }

  #add(rows: readonly OutboxRow[]): void {
    for (const { rowId } of rows) {
      this.#inFlight.add(rowId);
      this.#nextId = Math.max(this.#nextId ?? 0, rowId + 1);
    }
  }

  /**
   * Hands rows over that were read or taken. Those that the sink has taken go, together with others that are taken about now; those that it
   * refuses stay, and are not read again before `putBack`.
   */
  send(rows: readonly OutboxRow[]): void {
    const rowIds = rows.map((row) => row.rowId);
    const sending = this.#sink
      .send(rows)
      .then(
        () => {
          this.#taken.push(...rowIds);
          this.#deleteSoon();
        },
        (error) => {
          this.#refused.push(...rowIds);
          this.#logger.debug({ rows: rowIds.length, err: error }, "published events were not acknowledged; rows kept");
        },
      )
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** Lets the rows that were refused be read again. */
  putBack(): void {
    this.#isBehind = true;
    for (const rowId of this.#refused) this.#inFlight.delete(rowId);
    this.#refused = [];
  }

  /** Waits for what is being sent, for some seconds at most, and deletes what was taken. */
  async drain(): Promise<void> {
    await Promise.race([Promise.all(this.#sending), delay(drainMs, undefined, { ref: false })]);
    await this.#flush();
  }

  /** What cannot be deleted now is tried again with the next read. */
  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const wasFull = this.isFull;
    const rowIds = this.#taken;
    this.#taken = [];
    try {
      // If the deletion is lost, the event is sent again and the inbox drops it: the commit need not wait for the disk.
      await this.#db.query(
        `delete from outbox using (select set_config('synchronous_commit', 'off', true)) as unhurried
          where id = any ($1::bigint[])`,
        [binaryArray("bigint", rowIds)],
        { name: "outbox_delete" },
      );
      for (const rowId of rowIds) this.#inFlight.delete(rowId);
    } catch (error) {
      this.#taken.push(...rowIds);
      if (!isPassing(error)) this.#logger.error({ err: error }, "cannot delete from the outbox");
    }
    if (wasFull && !this.isFull) this.#onRoom();
  }

  #deleteSoon(): void {
    this.#timer ??= setTimeout(() => void this.#flush(), deleteAfterMs);
  }
}

/** The condition, whose parameters begin at $2. */
function whereOf(scope: OutboxScope): { sql: string; params: unknown[] } {
  if ("except" in scope) return { sql: "topic <> all ($2::text[])", params: [[...scope.except]] };
  return {
    sql: "topic = any ($2::text[]) and occurred_at < now() - $3 * interval '1 ms'",
    params: [[...scope.only], scope.olderThanMs],
  };
}
