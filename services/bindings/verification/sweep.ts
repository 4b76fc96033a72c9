import type { Database } from "../../platform/db/types.ts";
import { deletionTask } from "../../platform/runtime/deletion-task.ts";
import type { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

/** How long an expired link can still be answered with 410 rather than 404. */
const keptAfterExpiry = "30 days";

/** Removes links that expired long ago. */
export function sweepLinks(db: Database, logger: Logger): PollingTask {
  return deletionTask({
    name: "verification-link-sweep",
    db,
    logger,
    statement: `delete from verification_link where token_digest in
           (select token_digest from verification_link where expires_at < now() - $2::interval limit $1)`,
    params: [keptAfterExpiry],
  });
}
