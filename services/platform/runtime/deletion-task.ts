import type { Database } from "../db/types.ts";
import { hourMs } from "../durations.ts";
import type { Logger } from "../telemetry/logger.ts";
import { PollingTask } from "./polling-task.ts";

interface DeletionOptions {
  name: string;
  db: Database;
  logger: Logger;
  /** Deletes what is no longer needed, as many rows as $1 says at most. */
  statement: string;
  /** $2 and what follows. */
  params?: readonly unknown[];
  batchSize?: number;
}

/** Deletes old rows once an hour, in batches, so that no statement holds many locks. */
export function deletionTask({
  name,
  db,
  logger,
  statement,
  params = [],
  batchSize = 1_000,
}: DeletionOptions): PollingTask {
  return new PollingTask({
    name,
    intervalMs: hourMs,
    logger,
    async run() {
      const { rowCount } = await db.query(statement, [batchSize, ...params]);
      return rowCount === batchSize;
    },
  });
}
