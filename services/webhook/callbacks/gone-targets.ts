import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { DueRow, DueTable } from "../../platform/jobs/claim-due.ts";
import { DueWorker } from "../../platform/jobs/due-worker.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";

interface GoneTargetOptions {
  db: Database;
  bindings: Pick<Client<typeof bindingsContract>, "switchOffCallback">;
  logger: Logger;
  metrics: Metrics;
}

/** A target that answered 410. */
interface GoneTarget extends DueRow {
  id: string;
  bindingId: string;
  url: string;
}

/** Its key is made from what it is about: a URL may hold a secret, which stays out of lists of dead jobs. */
const goneTargetId = "md5(binding_id::text || url)::uuid";

const goneTargets: DueTable<GoneTarget> = {
  name: "switch_off",
  key: { column: goneTargetId, of: ({ id }) => id },
  columns: `${goneTargetId} as id, binding_id, url`,
};

/** Disables targets that answered 410, by a call to bindings. */
export function goneTargetWork(options: GoneTargetOptions): DueWorker<GoneTarget> {
  const { db, logger, metrics } = options;
  return new DueWorker({
    name: "gone-targets",
    db,
    table: goneTargets,
    intervalMs: 1_000,
    limit: 20,
    visibilityTimeoutS: 60,
    process: (target) => disable(target, options),
    logger,
    metrics,
  });
}

async function disable({ bindingId, url }: GoneTarget, { db, bindings }: GoneTargetOptions): Promise<void> {
  try {
    await bindings.switchOffCallback({ bindingId, callbackUrl: url });
  } catch (error) {
    // A refusal settles it as well: the binding no longer exists, or has another URL.
    if (!(error instanceof Refusal)) throw error;
  }
  await db.query("delete from switch_off where binding_id = $1 and url = $2", [bindingId, url]);
}
