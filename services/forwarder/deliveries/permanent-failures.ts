import type { Transaction } from "../../platform/db/types.ts";
import type { ReportDraft } from "../reports/author-reports.ts";
import { scheduleReports } from "../reports/schedule-reports.ts";
import { countFailures } from "../suspension/count-failures.ts";

/** What a permanent failure brings about. */
export interface FailureEffects {
  /** For the author; undefined if the author is not told. */
  report: ReportDraft | undefined;
  /** The real address is to blame, not the message. */
  blamesAddress: boolean;
}

export interface PermanentFailure extends FailureEffects {
  deliveryId: string;
  emailId: string;
}

/** Schedules reports to authors, and counts failures against the real addresses that are to blame. */
export async function recordPermanentFailures(tx: Transaction, failed: readonly PermanentFailure[]): Promise<void> {
  await scheduleReports(
    tx,
    failed.flatMap(({ emailId, report }) => (report ? [{ emailId, report }] : [])),
  );
  await countFailures(
    tx,
    failed.flatMap(({ deliveryId, blamesAddress }) => (blamesAddress ? [deliveryId] : [])),
  );
}
