import type { Transaction } from "../../platform/db/types.ts";
import type { ReportDraft } from "../reports/author-reports.ts";
import { insertReports } from "../reports/insert-reports.ts";
import { countFailures } from "../suspension/count-failures.ts";

/** What a permanent failure brings about. */
export interface FailureEffects {
  /** For the author; undefined if no report is sent. */
  report: ReportDraft | undefined;
  /** The failure counts towards the suspension of the real address. */
  countsAgainstAddress: boolean;
}

export interface PermanentFailure extends FailureEffects {
  deliveryId: string;
}

/** Schedules reports to authors, and counts failures that are about the real address. */
export async function recordPermanentFailures(tx: Transaction, failed: readonly PermanentFailure[]): Promise<void> {
  await insertReports(
    tx,
    failed.flatMap(({ report }) => report ?? []),
  );
  await countFailures(
    tx,
    failed.flatMap(({ deliveryId, countsAgainstAddress }) => (countsAgainstAddress ? [deliveryId] : [])),
  );
}
