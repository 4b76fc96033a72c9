import type { Database } from "../../platform/db/types.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

/** How long an expired link can still be answered with 410 rather than 404. */
const keptAfterExpiry = "30 days";
const batchSize = 1_000;

/** Removes links that expired long ago. */
export function sweepLinks(db: Database, logger: Logger): PollingTask {
  return new PollingTask({
    name: "verification-link-sweep",
    intervalMs: 3_600_000,
    logger,
    async run() {
      const { rowCount } = await db.query(
        `delete from verification_link where token_digest in
           (select token_digest from verification_link where expires_at < now() - $1::interval limit $2)`,
        [keptAfterExpiry, batchSize],
      );
      return rowCount === batchSize;
    },
  });
}
