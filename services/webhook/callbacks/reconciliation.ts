import type { Database } from "../../platform/db/types.ts";
import { publish } from "../../platform/events/outbox/outbox.ts";
import { type OutcomeRow, outcomeColumns, outcomeOf } from "./outcome-events.ts";

interface CallbackOfEmail {
  emailId: string;
  bindingId: string;
  isSettled: boolean;
}

/** The callbacks of those emails that have one. */
export async function callbacksOfEmails(db: Database, emailIds: readonly string[]): Promise<CallbackOfEmail[]> {
  const { rows } = await db.query<CallbackOfEmail>(
    "select email_id, binding_id, state <> 'waiting' as is_settled from callback where email_id = any ($1::uuid[])",
    [emailIds],
  );
  return rows;
}

/** Publishes delivery.settled again for what is settled: the timeline takes an entry once. Gives their number. */
export async function publishOutcomesAgain(db: Database, emailIds: readonly string[]): Promise<number> {
  return db.tx(async (tx) => {
    const { rows } = await tx.query<OutcomeRow>(
      `select ${outcomeColumns}, true as is_attempt,
              coalesce(attempts -> -1 ->> 'failure', attempts -> -1 ->> 'status', '') as response
         from callback where email_id = any ($1::uuid[]) and state <> 'waiting'`,
      [emailIds],
    );
    await publish(tx, rows.flatMap(outcomeOf));
    return rows.length;
  });
}
