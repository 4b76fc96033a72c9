import type { Database } from "../../platform/db/types.ts";
import type { DueRow, DueTable } from "../../platform/jobs/claim-due.ts";
import { DueWorker } from "../../platform/jobs/due-worker.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import type { DomainChecks } from "./checks.ts";

interface CheckWorkOptions {
  db: Database;
  checks: Pick<DomainChecks, "check">;
  logger: Logger;
  metrics: Metrics;
}

interface DueDomain extends DueRow {
  id: string;
}

const domains: DueTable<DueDomain> = {
  name: "domain",
  key: { column: "id", of: ({ id }) => id },
  columns: "id",
  claimable: "state <> 'removed'",
};

/** Looks at the domains that are due. A check gives its row a new `due_at`. */
export function checkWork({ db, checks, logger, metrics }: CheckWorkOptions): DueWorker<DueDomain> {
  return new DueWorker({
    name: "domain-checks",
    db,
    table: domains,
    intervalMs: 10_000,
    limit: 10,
    // Far longer than a check takes.
    visibilityTimeoutS: 300,
    process: async ({ id }) => void (await checks.check(id)),
    logger,
    metrics,
  });
}
