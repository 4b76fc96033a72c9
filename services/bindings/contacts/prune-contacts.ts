import type { Database } from "../../platform/db/types.ts";
import { deletionTask } from "../../platform/runtime/deletion-task.ts";
import type { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

/** Removes contacts that a message made and nobody ever answered, two years after they were last seen; blocked ones stay. */
export function pruneContacts(db: Database, logger: Logger): PollingTask {
  return deletionTask({
    name: "unanswered-contacts",
    db,
    logger,
    statement: `delete from contact where id = any (array(
           select id from contact
            where made_by = 'mail' and sent = 0 and blocked_at is null and last_seen_at < now() - interval '2 years'
            order by last_seen_at limit $1))`,
  });
}
