import type { Transaction } from "../../platform/db/types.ts";
import type { ReportDraft } from "../reports/author-reports.ts";
import { scheduleReports } from "../reports/schedule-reports.ts";
import { countFailures } from "../suspension/count-failures.ts";

/** What follows from a delivery that failed for good. */
export interface Consequences {
  /** For the author; undefined if the author is not told. */
  report: ReportDraft | undefined;
  /** The real address is to blame, not the message. */
  blamesAddress: boolean;
}

export interface FailedDelivery extends Consequences {
  deliveryId: string;
  emailId: string;
}

/** Tells the authors that are to be told, and counts against the real addresses that are to blame. */
export async function recordFailures(tx: Transaction, failed: readonly FailedDelivery[]): Promise<void> {
  await scheduleReports(
    tx,
    failed.flatMap(({ emailId, report }) => (report ? [{ emailId, report }] : [])),
  );
  await countFailures(
    tx,
    failed.flatMap(({ deliveryId, blamesAddress }) => (blamesAddress ? [deliveryId] : [])),
  );
}
