import { setTimeout as delay } from "node:timers/promises";
import { isTransientFailure } from "../../concurrency/retry.ts";
import { binaryArray } from "../../db/binary-values.ts";
import type { Database } from "../../db/types.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { EventSink, OutboxRow } from "../types.ts";

interface RowsInFlightSettings {
  readonly db: Database;
  readonly sink: EventSink;
  readonly logger: Logger;
  /** Called when there is room again after the limit was reached. */
  onRoom?(): void;
  /** The sink did not take these: they stay in the table, and in flight until `release`. */
  onRefused(rows: readonly OutboxRow[]): void;
}

/** Rows that were handed over and are not yet deleted, at most. */
const inFlightLimit = 5_000;
/** How long deletions gather. A row that is sent again because of it is dropped by the inbox. */
const deleteAfterMs = 200;
const deleteAgainAfterMs = 1_000;
/** How long a stop waits for what a sink has been given. */
const drainMs = 5_000;

/** Rows of an outbox on their way to a sink: deleted in bulk once it has taken them. */
export class RowsInFlight {
  readonly #settings: RowsInFlightSettings;
  readonly #ids = new Set<number>();
  readonly #sending = new Set<Promise<void>>();
  #taken: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #deleting: Promise<void> = Promise.resolve();
  #isDrained = false;

  constructor(settings: RowsInFlightSettings) {
    this.#settings = settings;
  }

  get isFull(): boolean {
    return this.#ids.size >= inFlightLimit;
  }

  get ids(): Iterable<number> {
    return this.#ids;
  }

  add(rows: readonly OutboxRow[]): void {
    for (const { rowId } of rows) this.#ids.add(rowId);
  }

  /** Rows that were refused are in flight no longer. */
  release(rowIds: readonly number[]): void {
    for (const rowId of rowIds) this.#ids.delete(rowId);
  }

  /** Hands over rows that were added. */
  send(rows: readonly OutboxRow[]): void {
    const { sink, logger, onRefused } = this.#settings;
    const rowIds = rows.map((row) => row.rowId);
    const sending = sink
      .send(rows)
      .then(
        () => {
          this.#taken.push(...rowIds);
          this.#deleteAfter(deleteAfterMs);
        },
        (error) => {
          logger.debug({ rows: rowIds.length, err: error }, "published events were not acknowledged; rows kept");
          onRefused(rows);
        },
      )
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** Waits for what is being sent, for some seconds at most, and deletes what was taken; what is taken later stays. */
  async drain(): Promise<void> {
    if (this.#isDrained) return;
    await Promise.race([Promise.all(this.#sending), delay(drainMs, undefined, { ref: false })]);
    this.#isDrained = true;
    clearTimeout(this.#timer);
    await this.#deleting;
    await this.#delete();
  }

  #deleteAfter(ms: number): void {
    if (this.#isDrained) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#deleting = this.#delete();
    }, ms);
  }

  /** What cannot be deleted now is tried again: until then it takes room. */
  async #delete(): Promise<void> {
    const { db, logger, onRoom } = this.#settings;
    const wasFull = this.isFull;
    const rowIds = this.#taken;
    if (rowIds.length === 0) return;
    this.#taken = [];
    try {
      // If the deletion is lost, the event is sent again and the inbox drops it: the commit need not wait for the disk.
      await db.query(
        `delete from outbox using (select set_config('synchronous_commit', 'off', true)) as unhurried
          where id = any ($1::bigint[])`,
        [binaryArray("bigint", rowIds)],
        { name: "outbox_delete" },
      );
      this.release(rowIds);
    } catch (error) {
      this.#taken.push(...rowIds);
      this.#deleteAfter(deleteAgainAfterMs);
      if (!isTransientFailure(error)) logger.error({ err: error }, "cannot delete from the outbox");
    }
    if (wasFull && !this.isFull) onRoom?.();
  }
}
