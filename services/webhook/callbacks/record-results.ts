import type { Database } from "../../platform/db/types.ts";
import { publish } from "../../platform/events/outbox/outbox.ts";
import { attemptResultWriter } from "../../platform/jobs/attempt-result-writer.ts";
import type { CallResult } from "../calls/call.ts";
import type { OwnedResult } from "../calls/call-work.ts";
import { formerAttempts } from "../calls/exchange.ts";
import { keepOtherAttempts } from "../calls/keep-other-attempts.ts";
import { callbackJobs } from "./callback.ts";
import { cancelForGoneTargets } from "./cancel.ts";
import { type OutcomeRow, outcomeColumns, outcomeOf } from "./outcome-events.ts";

const resultColumns = { response: "text", url: "text", host: "text" } as const;

const recordInRows = attemptResultWriter<OutcomeRow, typeof resultColumns>({
  table: "callback",
  key: "email_id",
  columns: resultColumns,
  // Of one whose URL was removed, the last one stays.
  set: ["url", "host"]
    .map((column) => `${column} = coalesce(nullif(result.${column}, ''), callback.${column})`)
    .join(", "),
  formerAttempts,
  returning: `${outcomeColumns}, result.response, result.attempt is not null as is_attempt`,
});

/** With the URL that was called. */
type RecordedResult = CallResult & Pick<OwnedResult, "url" | "host">;

/** Records a batch of results, publishes their events, and cancels what else would go to targets that are gone, in one transaction. */
export async function recordCallbackResults(db: Database, results: readonly RecordedResult[]): Promise<void> {
  await db.tx(
    async (tx) => {
      const rows = await recordInRows(tx, results);
      await keepOtherAttempts(tx, callbackJobs, results, new Set(rows.map((row) => row.emailId)));
      await publish(tx, rows.flatMap(outcomeOf));
      await cancelForGoneTargets(
        tx,
        results.filter((result) => result.isTargetGone).map((result) => result.jobId),
      );
    },
    { name: "record_callback_results", attempts: 3 },
  );
}
