import { setTimeout as delay } from "node:timers/promises";
import { Batcher } from "../concurrency/batcher.ts";
import { OutageLog } from "../concurrency/outage-log.ts";
import { isTransientFailure } from "../concurrency/retry.ts";
import type { Database, Transaction } from "../db/types.ts";
import { type BackgroundTask, PollingTask } from "../runtime/polling-task.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { InFlight } from "./in-flight.ts";
import { JobClaims, type JobTable } from "./job-claims.ts";
import { ParkedJobs } from "./parked-jobs.ts";
import { WorkerLiveness } from "./worker-liveness.ts";

interface JobWorkerOptions<Job, Result> {
  /** For the log. */
  name: string;
  db: Database;
  table: JobTable<Job>;
  workerId: string;
  /** Loads what a set of jobs needs, and gives the function that runs one of them, which never throws. @throws Outage: the jobs are released. */
  prepare(jobs: readonly Job[]): Promise<(job: Job) => Promise<Result>>;
  /** Records results in one transaction; it must be repeatable. */
  record(results: readonly Result[]): Promise<void>;
  /** Called after the result was recorded. */
  onRecorded(job: Job, result: Result): void;
  logger: Logger;
  metrics: Metrics;
}

/** The worker and duration of a new row's lease; null: it is not claimed yet. */
export interface Lease {
  workerId: string | null;
  leaseS: number | null;
}

const noLease: Lease = { workerId: null, leaseS: null };
const claimSize = 64;
const pollMs = 500;
/** A result that is not recorded is repeated after a kill: so it is recorded soon. */
const resultBatch = { slots: 4, maxItems: 128, lingerMs: 50 };
const recordRetryMs = 1_000;
/** After so many failures that are no outage the job is parked. */
const recordAttempts = 3;

/**
 * Claims due jobs and runs many at a time. It polls every half second, and looks at once when woken or when room came free.
 * New jobs can be claimed by the very insert that creates them.
 * For long work with effects outside the process: a job has a lease, and those of a dead worker are released. For short work
 * that can be repeated there is `DueWorker`.
 */
export class JobWorker<Job, Result> implements BackgroundTask {
  readonly name: string;
  readonly #options: JobWorkerOptions<Job, Result>;
  readonly #inFlight: InFlight<Job>;
  readonly #claims: JobClaims<Job>;
  /** An outage is waited out with the whole batch; of any other failure only the result that causes it is parked. */
  readonly #results: Batcher<Result, void>;
  readonly #parked: ParkedJobs<Job>;
  readonly #liveness: WorkerLiveness;
  readonly #polling: PollingTask;
  readonly #leasesOutage: OutageLog;
  /** Due jobs were left in the table for want of room. */
  #isMoreWaiting = false;
  #isStopping = false;
  #upkeep: NodeJS.Timeout | undefined;

  constructor(options: JobWorkerOptions<Job, Result>) {
    const { name, db, table, workerId, record, logger, metrics } = options;
    this.name = name;
    this.#options = options;
    this.#inFlight = new InFlight(table);
    this.#claims = new JobClaims(db, table, workerId);
    this.#results = new Batcher({
      name: `record ${name}`,
      ...resultBatch,
      onFailure: "isolate",
      run: async (results) => {
        await record(results);
        return results.map(() => undefined);
      },
    });
    this.#parked = new ParkedJobs(db, { ...table, parkedBy: "lease_until" }, metrics);
    this.#liveness = new WorkerLiveness({ db, table, workerId, onLeasesEnded: () => this.wake(), logger });
    this.#leasesOutage = new OutageLog({
      logger,
      lost: "cannot extend the leases of jobs in flight",
      back: "leases of jobs in flight are extended again",
      fields: { worker: name },
    });
    this.#polling = new PollingTask({ name, intervalMs: pollMs, logger, run: () => this.#claim() });
  }

  get inFlightCount(): number {
    return this.#inFlight.runningCount;
  }

  start(): void {
    this.#upkeep ??= setInterval(() => void this.#keepUp(), leaseExtensionMs(this.#options.table.leaseS));
    this.#liveness.start();
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
    clearInterval(this.#upkeep);
    await this.#liveness.stop();
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
    const { table, workerId } = this.#options;
    const lease = { workerId, leaseS: table.leaseS };
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
      this.#options.logger.warn({ worker: this.name, err: error }, "cannot start new jobs, they are claimed later");
    }
  }

  async #claim(): Promise<boolean> {
    await this.#inFlight.waitForRoom(Math.min(claimSize, this.#options.table.limit) / 2, pollMs);
    if (this.#isStopping) return false;
    const limit = Math.min(claimSize, this.#inFlight.room);
    const busy = this.#inFlight.busy();
    const claimed = await this.#claims.claim(limit, busy);
    const rejected = await this.#runAll(claimed);
    const isFull = claimed.length === limit;
    this.#isMoreWaiting = isFull || rejected > 0 || busy.atLimit.some((full) => full.length > 0);
    return isFull;
  }

  /** Resolves to how many jobs there was no room for. @throws Outage, after the others are released: the worker then backs off. */
  async #runAll(jobs: readonly Job[]): Promise<number> {
    const { added, rejected } = this.#isStopping ? { added: [], rejected: jobs } : this.#inFlight.add(jobs);
    // In parallel: if one fails, the other is still done.
    await Promise.all([this.#begin(added), this.#claims.release(rejected)]);
    return rejected.length;
  }

  async #begin(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return;
    try {
      const run = await this.#options.prepare(jobs);
      for (const job of jobs) void this.#finish(job, run);
    } catch (error) {
      for (const job of jobs) this.#inFlight.remove(job);
      await this.#claims.release(jobs);
      throw error;
    }
  }

  async #finish(job: Job, run: (job: Job) => Promise<Result>): Promise<void> {
    const result = await run(job);
    this.#inFlight.ran(job);
    if (this.#isMoreWaiting) this.wake();
    const isRecorded = await this.#record(job, result);
    this.#inFlight.remove(job);
    if (isRecorded) this.#options.onRecorded(job, result);
  }

  /**
   * Retries through outages: the job has had its effect outside, and would be run again if the result were lost.
   * @returns false for a job that was parked.
   */
  async #record(job: Job, result: Result): Promise<boolean> {
    const { name, table, logger } = this.#options;
    let toRecord = () => this.#results.submit(result);
    let isRecorded = true;
    for (let outages = 0, failures = 0; ; await delay(recordRetryMs)) {
      try {
        await toRecord();
        return isRecorded;
      } catch (error) {
        const details = { worker: name, job: table.key.of(job), err: error };
        if (isTransientFailure(error)) {
          if (outages++ === 0) logger.warn(details, "cannot record results, retrying");
        } else if (++failures === recordAttempts && isRecorded) {
          logger.error(details, "cannot record a result, parked the job (see admin dead list)");
          isRecorded = false;
          toRecord = () => this.#parked.park(job, error);
        }
      }
    }
  }

  /** Extends the leases of what is in flight, and takes up parked jobs that were asked for. */
  async #keepUp(): Promise<void> {
    try {
      await this.#claims.extend(this.#inFlight.jobs());
      if (await this.#parked.resumeAsked()) this.wake();
      this.#leasesOutage.over();
    } catch (error) {
      this.#leasesOutage.met(error);
    }
  }
}

const maxLeaseExtensionMs = 10_000;

/** Three times within a lease, and often enough for an operator who waits. */
function leaseExtensionMs(leaseS: number): number {
  return Math.min((leaseS * 1_000) / 3, maxLeaseExtensionMs);
}
