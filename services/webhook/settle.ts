import type { Database, Transaction } from "../platform/db/types.ts";
import { publish } from "../platform/events/outbox.ts";
import { callOffTargets } from "./call-off.ts";
import type { Ending } from "./callback.ts";
import { type OutcomeRow, outcomeColumns, outcomeOf } from "./outcomes.ts";

/**
 * Records a batch of endings and says what came of them, in one transaction. What is final is recorded whoever holds the
 * lease by now; a deferral only by its holder, since another may be sending at this moment.
 */
export async function recordEndings(db: Database, endings: readonly Ending[]): Promise<void> {
  await db.tx(
    async (tx) => {
      const { rows } = await tx.query<OutcomeRow>(
        `with ended as (
           select * from json_to_recordset($1::json)
             as row(email_id uuid, worker_id uuid, state text, attempt jsonb, response text, retry_after_s float8)
         )
         update callback set
           state = ended.state,
           attempts = case when ended.attempt is null then attempts else attempts || ended.attempt end,
           due_at = now() + ended.retry_after_s * interval '1 second',
           worker_id = null,
           lease_until = null,
           settled_at = case when ended.state = 'waiting' then null else now() end
         from ended
         where callback.email_id = ended.email_id and callback.state = 'waiting'
           and (ended.state <> 'waiting' or callback.worker_id = ended.worker_id)
         returning ${outcomeColumns}, ended.response, ended.attempt is not null as "isAttempt"`,
        [JSON.stringify(endings.map(endingRow))],
        { name: "record_callback_endings" },
      );
      await keepOtherAttempts(tx, endings, new Set(rows.map((row) => row.emailId)));
      await publish(tx, rows.flatMap(outcomeOf));
      await callOffTargets(
        tx,
        endings.filter((ending) => ending.isTargetGone).map((ending) => ending.emailId),
      );
    },
    { name: "record_callback_endings", attempts: 3 },
  );
}

function endingRow({ emailId, workerId, state, attempt, response, retryAfterS }: Ending) {
  return { email_id: emailId, worker_id: workerId, state, attempt, response, retry_after_s: retryAfterS };
}

/** An attempt that was under way when its callback was called off, or taken over, decides nothing; it was made all the same. */
async function keepOtherAttempts(
  tx: Transaction,
  endings: readonly Ending[],
  recorded: ReadonlySet<string>,
): Promise<void> {
  const others = endings.filter((ending) => ending.attempt !== null && !recorded.has(ending.emailId));
  if (others.length === 0) return;
  await tx.query(
    `update callback set attempts = attempts || ended.attempt
     from json_to_recordset($1::json) as ended(email_id uuid, attempt jsonb) where callback.email_id = ended.email_id`,
    [JSON.stringify(others.map(endingRow))],
  );
}
