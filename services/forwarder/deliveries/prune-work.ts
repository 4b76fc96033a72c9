import { pruneEnabledAccounts } from "../../platform/accounts/disabled-accounts.ts";
import type { Database } from "../../platform/db/types.ts";
import { hourMs } from "../../platform/durations.ts";
import { pruneSettled } from "../../platform/jobs/prune.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { pruneNamedRealAddresses } from "../answers/incoming/named-real-addresses.ts";
import { pruneAnswers } from "../answers/record-answers.ts";
import { pruneComplaints } from "../complaints/record-complaint.ts";
import { pruneFailures } from "../suspension/count-failures.ts";
import { pruneHolds } from "./holding.ts";

/** Removes what is settled, and what was noted of it, after so many days. */
export function pruneWork(db: Database, keptDays: number, logger: Logger): PollingTask {
  return new PollingTask({
    name: "settled-deliveries",
    intervalMs: hourMs,
    logger,
    run: () => pruneBatch(db, keptDays),
  });
}

/** @returns whether there may be more. Exported for tests. */
export async function pruneBatch(db: Database, keptDays: number): Promise<boolean> {
  await pruneEnabledAccounts(db);
  await db.tx(async (tx) => {
    await pruneFailures(tx, keptDays);
    await pruneHolds(tx);
  });
  const mayBeMore = [
    await pruneComplaints(db, keptDays),
    await pruneNamedRealAddresses(db),
    await pruneSettled(db, { name: "delivery", key: "id" }, keptDays),
    await pruneAnswers(db, keptDays),
  ];
  return mayBeMore.includes(true);
}
