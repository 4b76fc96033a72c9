import type { Transaction } from "../db/types.ts";
import { messageOf } from "../errors.ts";
import { type BackgroundTask, PollingTask } from "../runtime/polling-task.ts";
import type { Logger } from "../telemetry/logger.ts";
import { InFlight } from "./in-flight.ts";
import type { JobClaims, JobTable } from "./job-claims.ts";
import { RecordBatch } from "./record-batch.ts";

export interface JobWorkerOptions<Job, Result> {
  /** For the log. */
  name: string;
  table: JobTable<Job>;
  claims: JobClaims<Job>;
  /** Loads what a set of jobs needs, and gives the function that runs one of them, which never throws. @throws Outage: the jobs are released. */
  prepare(jobs: readonly Job[]): Promise<(job: Job) => Promise<Result>>;
  /** Records results in one transaction; it must be repeatable. */
  record(results: readonly Result[]): Promise<void>;
  /** Called after the result was recorded. */
  onRecorded(job: Job, result: Result): void;
  logger: Logger;
}

/** The worker and duration of a new row's lease; null: it is not claimed yet. */
export interface Lease {
  workerId: string | null;
  leaseS: number | null;
}

const noLease: Lease = { workerId: null, leaseS: null };
const claimSize = 64;
const pollMs = 500;

/**
 * Claims due jobs and runs many at a time. It polls every half second, and looks at once when woken or when room came free.
 * New jobs can be claimed by the very insert that creates them.
 */
export class JobWorker<Job, Result> implements BackgroundTask {
  readonly name: string;
  readonly #options: JobWorkerOptions<Job, Result>;
  readonly #inFlight: InFlight<Job>;
  readonly #results: RecordBatch<Result>;
  readonly #polling: PollingTask;
  /** Due jobs were left in the table for want of room. */
  #isMoreWaiting = false;
  #isStopping = false;
  #extension: NodeJS.Timeout | undefined;

  constructor(options: JobWorkerOptions<Job, Result>) {
    const { name, table, record, logger } = options;
    this.name = name;
    this.#options = options;
    this.#inFlight = new InFlight(table);
    this.#results = new RecordBatch(record, logger);
    this.#polling = new PollingTask({ name, intervalMs: pollMs, logger, run: () => this.#claim() });
  }

  get inFlightCount(): number {
    return this.#inFlight.size;
  }

  start(): void {
    this.#extension ??= setInterval(() => void this.#extendLeases(), (this.#options.table.leaseS * 1_000) / 3);
    this.#polling.start();
  }

  /** A job became due. */
  wake(): void {
    this.#polling.wake();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#polling.stop();
    await this.#inFlight.waitUntilEmpty();
    await this.#results.drain();
    clearInterval(this.#extension);
  }

  /**
   * Inserts new jobs, claims as many of them as there is room for, and runs those once they are committed.
   * @param insert gives the keys of those that were not there before and have the lease
   */
  async insert<New extends Job>(
    tx: Transaction,
    jobs: readonly New[],
    insert: (rows: readonly (New & Lease)[]) => Promise<string[]>,
  ): Promise<void> {
    const { table, claims } = this.#options;
    const lease = { workerId: claims.workerId, leaseS: table.leaseS };
    const room = this.#roomForNew();
    const inserted = new Set(await insert(jobs.map((job, index) => ({ ...job, ...(index < room ? lease : noLease) }))));
    tx.afterCommit(() => {
      void this.#runInserted(jobs.filter((job) => inserted.has(table.key.of(job))));
      if (inserted.size < jobs.length) this.wake();
    });
  }

  /** None while older jobs wait: they go first. */
  #roomForNew(): number {
    return this.#isMoreWaiting || this.#isStopping ? 0 : this.#inFlight.room;
  }

  async #runInserted(jobs: readonly Job[]): Promise<void> {
    try {
      await this.#runAll(jobs);
    } catch (error) {
      // They were released, or their leases expire: either way they are claimed later.
      this.#options.logger.warn({ err: error }, `cannot run new ${this.name}: ${messageOf(error)}`);
    }
  }

  async #claim(): Promise<boolean> {
    await this.#inFlight.waitForRoom(Math.min(claimSize, this.#options.table.limit) / 2);
    if (this.#isStopping) return false;
    const limit = Math.min(claimSize, this.#inFlight.room);
    const busy = this.#inFlight.busy();
    const claimed = await this.#options.claims.claim(limit, busy);
    const rejected = await this.#runAll(claimed);
    const isFull = claimed.length === limit;
    this.#isMoreWaiting = isFull || rejected > 0 || busy.lanes.some((full) => full.length > 0);
    return isFull;
  }

  /** Resolves to how many jobs there was no room for. @throws Outage, after the others are released: the worker then backs off. */
  async #runAll(jobs: readonly Job[]): Promise<number> {
    const { added, rejected } = this.#isStopping ? { added: [], rejected: jobs } : this.#inFlight.add(jobs);
    // Side by side: whatever goes wrong with one, the other is done.
    await Promise.all([this.#begin(added), this.#options.claims.release(rejected)]);
    return rejected.length;
  }

  async #begin(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return;
    try {
      const run = await this.#options.prepare(jobs);
      for (const job of jobs) void this.#finish(job, run);
    } catch (error) {
      for (const job of jobs) this.#inFlight.remove(job);
      await this.#options.claims.release(jobs);
      throw error;
    }
  }

  async #finish(job: Job, run: (job: Job) => Promise<Result>): Promise<void> {
    const result = await run(job);
    await this.#results.add(result);
    this.#inFlight.remove(job);
    this.#options.onRecorded(job, result);
    if (this.#isMoreWaiting) this.wake();
  }

  async #extendLeases(): Promise<void> {
    const { claims, logger } = this.#options;
    try {
      await claims.extend(this.#inFlight.jobs());
    } catch (error) {
      logger.warn({ err: error }, `cannot extend the leases of ${this.name} in flight: ${messageOf(error)}`);
    }
  }
}
