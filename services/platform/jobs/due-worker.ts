import { backoffMs, isTransientFailure, throughOutages } from "../concurrency/retry.ts";
import type { Database, Transaction } from "../db/types.ts";
import { Outage } from "../errors.ts";
import { type BackgroundTask, PollingTask } from "../runtime/polling-task.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { claimDue, type DueRow, type DueTable } from "./claim-due.ts";
import { ParkedJobs } from "./parked-jobs.ts";

interface DueWorkerOptions<Row> {
  /** For the log. */
  name: string;
  db: Database;
  table: DueTable<Row>;
  /** How long to sleep when nothing was due. */
  intervalMs: number;
  /** Rows claimed and processed at once. */
  limit: number;
  /** Seconds after which a claimed row that is not finished is due again (its visibility timeout): longer than its work takes. */
  visibilityTimeoutS: number;
  /** Failed attempts after which a row is parked. Default 5; an outage is no attempt. */
  maxAttempts?: number;
  /** Before the next attempt; the first wait is also that after an outage. Default 5 s to 10 min. */
  backoff?: { firstMs: number; maxMs: number };
  /** Does the work of a row, and deletes it or gives it a new `due_at` (see `dueAgain`). It must be repeatable. */
  process(row: Row, signal: AbortSignal): Promise<void>;
  /** Called before a row that failed in every attempt is parked: for what its owner is to be told of it. */
  giveUp?(row: Row): Promise<void>;
  logger: Logger;
  metrics: Metrics;
}

const defaultAttempts = 5;
const defaultBackoff = { firstMs: 5_000, maxMs: 600_000 };
const databaseBackoff = { firstMs: 100, maxMs: 5_000 };
/** How often parked rows that an operator asked to be retried are looked for. */
const parkedPollMs = 5_000;

/**
 * Processes the rows of a table as they become due: short work that can be repeated. A claim only postpones the row, so there is no
 * lease to renew, and the rows of a dead process wait until they are due again. For long work with effects outside the process
 * there is `JobWorker`. A failure is the row's own: the others of its batch go on. A row that fails at every attempt is parked.
 */
export class DueWorker<Row extends DueRow> implements BackgroundTask {
  readonly name: string;
  readonly #options: DueWorkerOptions<Row>;
  readonly #parked: ParkedJobs<Row>;
  readonly #polling: PollingTask;
  /** On performance.now's clock. */
  #nextParkedPollAt = 0;

  constructor(options: DueWorkerOptions<Row>) {
    const { name, db, table, intervalMs, logger, metrics } = options;
    this.name = name;
    this.#options = options;
    this.#parked = new ParkedJobs(db, { ...table, parkedBy: "due_at" }, metrics);
    this.#polling = new PollingTask({ name, intervalMs, logger, run: (signal) => this.run(signal) });
  }

  start(): void {
    this.#polling.start();
  }

  /** A row became due. */
  wake(): void {
    this.#polling.wake();
  }

  /** Resolves once the claimed rows have been processed. */
  stop(): Promise<void> {
    return this.#polling.stop();
  }

  /** Processes one batch of due rows; true if there were any. */
  async run(signal: AbortSignal): Promise<boolean> {
    await this.#resumeParked();
    const { name, db, table, limit, visibilityTimeoutS } = this.#options;
    const rows = await claimDue(db, table, { limit, visibilityTimeoutS, statement: `claim ${name}` });
    await Promise.all(rows.map((row) => this.#attempt(row, signal)));
    return rows.length > 0;
  }

  async #attempt(row: Row, signal: AbortSignal): Promise<void> {
    const { process, maxAttempts = defaultAttempts } = this.#options;
    if (row.attemptCount > maxAttempts)
      return this.#park(row, new Error(`the process ended in each of ${maxAttempts} attempts`), signal);
    try {
      await process(row, signal);
    } catch (error) {
      if (isTransientFailure(error) || row.attemptCount < maxAttempts) await this.#postpone(row, error, signal);
      else await this.#park(row, error, signal);
    }
  }

  async #postpone(row: Row, error: unknown, signal: AbortSignal): Promise<void> {
    const { db, table, logger, name, backoff = defaultBackoff } = this.#options;
    const isCounted = !isTransientFailure(error);
    const saidS = error instanceof Outage ? error.retryAfterS : undefined;
    const waitS = saidS ?? backoffMs(isCounted ? row.attemptCount : 1, backoff) / 1_000;
    logger.warn({ worker: name, job: table.key.of(row), waitS, err: error }, "job attempt failed");
    await this.#persist(
      () =>
        db.query(
          `update ${table.name} set due_at = now() + make_interval(secs => $2), attempt_count = greatest(0, attempt_count - $3)
            where ${table.key.column} = $1`,
          [table.key.of(row), waitS, isCounted ? 0 : 1],
        ),
      signal,
    );
  }

  async #park(row: Row, error: unknown, signal: AbortSignal): Promise<void> {
    const { table, logger, name, giveUp } = this.#options;
    const details = { worker: name, job: table.key.of(row), err: error };
    logger.error(details, "every attempt failed, parked the job (see admin dead list)");
    await this.#persist(async () => {
      await giveUp?.(row);
      await this.#parked.park(row, error);
    }, signal);
  }

  async #resumeParked(): Promise<void> {
    if (performance.now() < this.#nextParkedPollAt) return;
    await this.#parked.resumeAsked();
    this.#nextParkedPollAt = performance.now() + parkedPollMs;
  }

  /** Through an outage of the database, so that it does not count as an attempt of every claimed row. */
  #persist(run: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    if (signal.aborted) return run();
    const { logger, name } = this.#options;
    return throughOutages(run, {
      signal,
      backoff: databaseBackoff,
      onOutage: (error) => logger.warn({ worker: name, err: error }, "cannot postpone jobs, retrying"),
      onRecovery: () => logger.info({ worker: name }, "postponed jobs after an outage"),
    });
  }
}

/** Makes a row that was processed due again after so many seconds, its attempts forgotten. */
export async function dueAgain<Row>(
  db: Database | Transaction,
  { name, key }: Pick<DueTable<Row>, "name" | "key">,
  row: Row,
  afterS: number,
): Promise<void> {
  await db.query(
    `update ${name} set due_at = now() + make_interval(secs => $2), attempt_count = 0 where ${key.column} = $1`,
    [key.of(row), afterS],
  );
}
