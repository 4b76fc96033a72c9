import type { Database } from "../../platform/db/types.ts";
import { PollingWork } from "../../platform/runtime/polling-work.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

/** For so long a link that is no good any more can still say why. */
const remembered = "30 days";
const batchSize = 1_000;

/** Removes links that expired long ago. */
export function sweepLinks(db: Database, logger: Logger): PollingWork {
  return new PollingWork({
    name: "verification links sweep",
    intervalMs: 3_600_000,
    logger,
    async run() {
      const { rowCount } = await db.query(
        `delete from verification_link where token_digest in
           (select token_digest from verification_link where expires_at < now() - $1::interval limit $2)`,
        [remembered, batchSize],
      );
      return rowCount === batchSize;
    },
  });
}
