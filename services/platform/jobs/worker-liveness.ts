import { setTimeout as delay } from "node:timers/promises";
import { aborted } from "../concurrency/aborted.ts";
import { lockNumber } from "../db/lock.ts";
import type { Database } from "../db/types.ts";
import { type BackgroundTask, PollingTask } from "../runtime/polling-task.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { JobTable } from "./job-claims.ts";

const livenessPollMs = 5_000;
const lockRetryMs = 200;
/** A live worker that lost its connection has its lock again by then: one whose lock is free at both checks is dead. */
const secondCheckMs = 1_000;

interface WorkerLivenessOptions {
  db: Database;
  table: Pick<JobTable<never>, "name">;
  workerId: string;
  /** Called when jobs of a dead worker can be claimed. */
  onLeasesEnded(): void;
  logger: Logger;
}

/**
 * Shows other workers that this one lives, by an advisory lock, and ends the leases of those that do not: after a kill their
 * jobs go on at once. A process whose host is cut off keeps its lock until PostgreSQL gives its connection up; then the leases
 * end first.
 */
export class WorkerLiveness implements BackgroundTask {
  readonly name = "worker liveness";
  readonly #options: WorkerLivenessOptions;
  readonly #stopping = new AbortController();
  readonly #looking: PollingTask;
  #isHeld = false;
  #holding: Promise<void> | undefined;

  constructor(options: WorkerLivenessOptions) {
    this.#options = options;
    const { logger } = options;
    this.#looking = new PollingTask({
      name: "gone-workers",
      intervalMs: livenessPollMs,
      logger,
      run: () => this.#endLeasesOfDeadWorkers(),
    });
  }

  start(): void {
    this.#holding ??= this.#hold();
    this.#looking.start();
  }

  async stop(): Promise<void> {
    await this.#looking.stop();
    this.#stopping.abort();
    await this.#holding;
  }

  /** Registered only while locked, so that a worker of a release without locks is never taken for gone. */
  async #hold(): Promise<void> {
    const { db, table, workerId, logger } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await db.withLock(
          lockOf(workerId),
          async (held) => {
            await db.query("insert into job_worker (id, job_table) values ($1, $2) on conflict do nothing", [
              workerId,
              table.name,
            ]);
            this.#isHeld = true;
            this.#looking.wake();
            await aborted(held);
            this.#isHeld = false;
            if (signal.aborted) await db.query("delete from job_worker where id = $1", [workerId]);
          },
          { signal, pollMs: lockRetryMs },
        );
      } catch (error) {
        this.#isHeld = false;
        logger.debug({ workerId, err: error }, "lost the lock of the worker");
        await delay(lockRetryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #endLeasesOfDeadWorkers(): Promise<boolean> {
    const { signal } = this.#stopping;
    const suspects = await this.#unlocked();
    if (suspects.length === 0) return false;
    await delay(secondCheckMs, undefined, { signal }).catch(() => undefined);
    const gone = new Set(await this.#unlocked());
    for (const id of suspects) if (gone.has(id) && !signal.aborted) await this.#endLeasesOf(id);
    return false;
  }

  /** The workers whose locks are free. None while this worker's own is lost: others' may be for the same reason. */
  async #unlocked(): Promise<string[]> {
    const { db, table, workerId } = this.#options;
    if (!this.#isHeld) return [];
    const { rows } = await db.query<{ id: string }>("select id from job_worker where job_table = $1 and id <> $2", [
      table.name,
      workerId,
    ]);
    if (rows.length === 0) return [];
    // A bigint's halves are in classid and objid (PostgreSQL, "pg_locks").
    const { rows: held } = await db.query<{ number: string }>(
      `select ((classid::bigint << 32) | objid::bigint)::text as number from pg_locks
        where locktype = 'advisory' and objsubid = 1 and granted
          and database = (select oid from pg_database where datname = current_database())`,
    );
    const numbers = new Set(held.map(({ number }) => number));
    return rows.map(({ id }) => id).filter((id) => !numbers.has(lockNumber(`${db.schema}:${lockOf(id)}`)));
  }

  async #endLeasesOf(id: string): Promise<void> {
    const { db, table, logger, onLeasesEnded } = this.#options;
    const { rowCount } = await db.query(
      `with gone as (delete from job_worker where id = $1)
       update ${table.name} set worker_id = null, lease_until = null where worker_id = $1 and state = 'waiting'`,
      [id],
    );
    logger.info({ workerId: id, table: table.name, jobs: rowCount }, "ended the leases of a dead worker");
    if (rowCount > 0) onLeasesEnded();
  }
}

function lockOf(workerId: string): string {
  return `worker:${workerId}`;
}
