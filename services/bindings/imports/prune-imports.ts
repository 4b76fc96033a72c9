import type { Database } from "../../platform/db/types.ts";
import { deletionTask } from "../../platform/runtime/deletion-task.ts";
import type { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

/** Removes imports after 30 days, and those that made nothing and are not at work after a day. What they made stays. */
export function pruneImports(db: Database, logger: Logger): PollingTask {
  return deletionTask({
    name: "old imports",
    db,
    logger,
    statement: `delete from import where id in (
           select id from import
            where created_at < now() - interval '30 days'
               or (created_at < now() - interval '1 day' and state in ('checked', 'failed')
                   and not exists (select from import_entry where import_id = import.id and state = 'done'))
            limit $1)`,
    batchSize: 20,
  });
}
