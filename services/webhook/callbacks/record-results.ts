import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { publish } from "../../platform/events/outbox.ts";
import { attemptResultWriter } from "../../platform/jobs/attempt-result-writer.ts";
import { formerAttempts } from "../calls/exchange.ts";
import { type CallbackResult, callbackJobs } from "./callback.ts";
import { cancelForGoneTargets } from "./cancel.ts";
import { type OutcomeRow, outcomeColumns, outcomeOf } from "./outcome-events.ts";

const resultColumns = { response: "text" } as const;

const recordInRows = attemptResultWriter<OutcomeRow, typeof resultColumns>({
  table: "callback",
  key: "email_id",
  columns: resultColumns,
  formerAttempts,
  returning: `${outcomeColumns}, result.response, result.attempt is not null as is_attempt`,
});

/** Records a batch of results, publishes their events, and cancels what else would go to targets that are gone, in one transaction. */
export async function recordCallbackResults(db: Database, results: readonly CallbackResult[]): Promise<void> {
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

const otherAttempts = recordSet({ jobId: "uuid", attempt: "jsonb" });

/** Adds attempts that do not change the state, because the call was cancelled or claimed by another worker meanwhile. */
export async function keepOtherAttempts(
  tx: Transaction,
  { table, key }: { table: string; key: string },
  results: readonly CallbackResult[],
  recorded: ReadonlySet<string>,
): Promise<void> {
  const others = results.filter((result) => result.attempt !== null && !recorded.has(result.jobId));
  if (others.length === 0) return;
  await tx.query(
    `update ${table} set attempts = attempts || other.attempt
     from ${otherAttempts.from("other")} where ${table}.${key} = other.job_id`,
    otherAttempts.params(others),
  );
}
