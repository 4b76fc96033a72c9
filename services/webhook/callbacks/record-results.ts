import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { publish } from "../../platform/events/outbox.ts";
import type { AttemptResult } from "./callback.ts";
import { cancelForGoneTargets } from "./cancel.ts";
import { type OutcomeRow, outcomeColumns, outcomeOf } from "./outcome-events.ts";

const attemptResults = recordSet({
  emailId: "uuid",
  workerId: "uuid",
  state: "text",
  attempt: "jsonb",
  response: "text",
  retryAfterS: "float8",
});

/**
 * Records a batch of results and publishes their events, in one transaction. A final result is recorded even if the lease
 * was lost; a deferral only by the holder of the lease, since another worker may be sending at this moment.
 */
export async function recordAttemptResults(db: Database, results: readonly AttemptResult[]): Promise<void> {
  await db.tx(
    async (tx) => {
      const { rows } = await tx.query<OutcomeRow>(
        `with result as (
           select * from ${attemptResults.from("result")}
         )
         update callback set
           state = result.state,
           attempts = case when result.attempt is null then attempts else attempts || result.attempt end,
           due_at = now() + result.retry_after_s * interval '1 second',
           worker_id = null,
           lease_until = null,
           settled_at = case when result.state = 'waiting' then null else now() end
         from result
         where callback.email_id = result.email_id and callback.state = 'waiting'
           and (result.state <> 'waiting' or callback.worker_id = result.worker_id)
         returning ${outcomeColumns}, result.response, result.attempt is not null as is_attempt`,
        attemptResults.params(results),
        { name: "record_callback_results" },
      );
      await keepOtherAttempts(tx, results, new Set(rows.map((row) => row.emailId)));
      await publish(tx, rows.flatMap(outcomeOf));
      await cancelForGoneTargets(
        tx,
        results.filter((result) => result.isTargetGone).map((result) => result.emailId),
      );
    },
    { name: "record_callback_results", attempts: 3 },
  );
}

/** Adds attempts that do not change the state, because the callback was cancelled or claimed by another worker meanwhile. */
async function keepOtherAttempts(
  tx: Transaction,
  results: readonly AttemptResult[],
  recorded: ReadonlySet<string>,
): Promise<void> {
  const others = results.filter((result) => result.attempt !== null && !recorded.has(result.emailId));
  if (others.length === 0) return;
  await tx.query(
    `update callback set attempts = attempts || result.attempt
     from ${attemptResults.from("result")} where callback.email_id = result.email_id`,
    attemptResults.params(others),
  );
}
