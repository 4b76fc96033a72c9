import type { Database } from "../../platform/db/types.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

const batchSize = 20;

/** Removes imports after 30 days, and those that made nothing and are not at work after a day. What they made stays. */
export function forgetImports(db: Database, logger: Logger): PollingTask {
  return new PollingTask({
    name: "old imports",
    intervalMs: 3_600_000,
    logger,
    async run() {
      const { rowCount } = await db.query(
        `delete from import where id in (
           select id from import
            where created_at < now() - interval '30 days'
               or (created_at < now() - interval '1 day' and state in ('checked', 'failed')
                   and not exists (select from import_entry where import_id = import.id and state = 'done'))
            limit $1)`,
        [batchSize],
      );
      return rowCount === batchSize;
    },
  });
}
