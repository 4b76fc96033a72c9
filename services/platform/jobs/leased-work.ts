import type { Transaction } from "../db/types.ts";
import { messageOf } from "../errors.ts";
import { PollingWork, type Work } from "../runtime/polling-work.ts";
import type { Logger } from "../telemetry/logger.ts";
import { InHand } from "./in-hand.ts";
import type { LeasedRows, LeasedTable } from "./leased-rows.ts";
import { RecordingBatch } from "./recording-batch.ts";

export interface LeasedWorkOptions<Row, Ending> {
  /** For the log. */
  name: string;
  table: LeasedTable<Row>;
  leases: LeasedRows<Row>;
  /** Gets what a set of rows needs, and gives what acts on one of them, which never throws. @throws Outage: the rows are given back. */
  prepare(rows: readonly Row[]): Promise<(row: Row) => Promise<Ending>>;
  /** One transaction for the whole set; it must be repeatable. */
  record(endings: readonly Ending[]): Promise<void>;
  /** After it was recorded. */
  onEnding(row: Row, ending: Ending): void;
  logger: Logger;
}

/** Whose a new row is, and for how long; nobody's yet if null. */
export interface Lease {
  workerId: string | null;
  leaseS: number | null;
}

const noLease: Lease = { workerId: null, leaseS: null };
const claimSize = 64;
const pollMs = 500;

/**
 * Claims what is due and acts on it, many at a time; looks again when woken, when room came free, and every half second.
 * What comes new can be put in hand at once, and so needs no claim.
 */
export class LeasedWork<Row, Ending> implements Work {
  readonly name: string;
  readonly #options: LeasedWorkOptions<Row, Ending>;
  readonly #inHand: InHand<Row>;
  readonly #endings: RecordingBatch<Ending>;
  readonly #polling: PollingWork;
  /** Something was left for want of room. */
  #isMoreWaiting = false;
  #isStopping = false;
  #renewal: NodeJS.Timeout | undefined;

  constructor(options: LeasedWorkOptions<Row, Ending>) {
    const { name, table, record, logger } = options;
    this.name = name;
    this.#options = options;
    this.#inHand = new InHand(table);
    this.#endings = new RecordingBatch(record, logger);
    this.#polling = new PollingWork({ name, intervalMs: pollMs, logger, run: () => this.#claim() });
  }

  get inHandCount(): number {
    return this.#inHand.size;
  }

  start(): void {
    this.#renewal ??= setInterval(() => void this.#renew(), (this.#options.table.leaseS * 1_000) / 3);
    this.#polling.start();
  }

  /** Something became due. */
  wake(): void {
    this.#polling.wake();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#polling.stop();
    await this.#inHand.emptied();
    await this.#endings.drain();
    clearInterval(this.#renewal);
  }

  /**
   * Puts new rows in hand as they are inserted, as many as there is room for, and begins with them once they are committed.
   * @param insert gives the keys of those that were not there before and have the lease
   */
  async insert<New extends Row>(
    tx: Transaction,
    rows: readonly New[],
    insert: (rows: readonly (New & Lease)[]) => Promise<string[]>,
  ): Promise<void> {
    const { table, leases } = this.#options;
    const lease = { workerId: leases.workerId, leaseS: table.leaseS };
    const room = this.#roomForNew();
    const inserted = new Set(await insert(rows.map((row, index) => ({ ...row, ...(index < room ? lease : noLease) }))));
    tx.afterCommit(() => {
      void this.#adopt(rows.filter((row) => inserted.has(table.key.of(row))));
      if (inserted.size < rows.length) this.wake();
    });
  }

  /** None while others wait, whose turn it is first. */
  #roomForNew(): number {
    return this.#isMoreWaiting || this.#isStopping ? 0 : this.#inHand.room;
  }

  async #adopt(rows: readonly Row[]): Promise<void> {
    try {
      await this.#act(rows);
    } catch (error) {
      // They were given back, or else their leases end: then they are claimed.
      this.#options.logger.warn({ err: error }, `cannot begin with new ${this.name}: ${messageOf(error)}`);
    }
  }

  async #claim(): Promise<boolean> {
    await this.#inHand.roomFor(Math.min(claimSize, this.#options.table.limit) / 2);
    if (this.#isStopping) return false;
    const limit = Math.min(claimSize, this.#inHand.room);
    const occupied = this.#inHand.occupied();
    const claimed = await this.#options.leases.take(limit, occupied);
    const tooMany = await this.#act(claimed);
    const isFull = claimed.length === limit;
    this.#isMoreWaiting = isFull || tooMany > 0 || occupied.lanes.some((full) => full.length > 0);
    return isFull;
  }

  /** Gives how many there was no room for. @throws Outage, after what was taken is given back: the work then rests for a while. */
  async #act(rows: readonly Row[]): Promise<number> {
    const { taken, tooMany } = this.#isStopping ? { taken: [], tooMany: rows } : this.#inHand.take(rows);
    // Side by side: whatever goes wrong with one, the other is done.
    await Promise.all([this.#begin(taken), this.#options.leases.giveBack(tooMany)]);
    return tooMany.length;
  }

  async #begin(taken: readonly Row[]): Promise<void> {
    if (taken.length === 0) return;
    try {
      const act = await this.#options.prepare(taken);
      for (const row of taken) void this.#finish(row, act);
    } catch (error) {
      for (const row of taken) this.#inHand.done(row);
      await this.#options.leases.giveBack(taken);
      throw error;
    }
  }

  async #finish(row: Row, act: (row: Row) => Promise<Ending>): Promise<void> {
    const ending = await act(row);
    await this.#endings.add(ending);
    this.#inHand.done(row);
    this.#options.onEnding(row, ending);
    if (this.#isMoreWaiting) this.wake();
  }

  async #renew(): Promise<void> {
    const { leases, logger } = this.#options;
    try {
      await leases.renew(this.#inHand.rows());
    } catch (error) {
      logger.warn({ err: error }, `cannot lengthen the leases of ${this.name} in hand: ${messageOf(error)}`);
    }
  }
}
