import { pruneClosedAccounts, recentlyClosed, rememberClosed } from "../../platform/accounts/closed-accounts.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { publish } from "../../platform/events/outbox/outbox.ts";
import { type OutcomeRow, outcomeColumns, outcomeOf } from "../callbacks/outcome-events.ts";

/** Removes all data of closed accounts, recorders and webhooks included; waiting callbacks are cancelled. */
export async function removeAccounts(tx: Transaction, ownerIds: readonly string[]): Promise<void> {
  await rememberClosed(tx, ownerIds);
  const { rows } = await tx.query<OutcomeRow>(
    `delete from callback where owner_id = any ($1::uuid[])
     returning ${outcomeColumns}, 'The account was closed.' as response, false as is_attempt`,
    [ownerIds],
  );
  await tx.query("delete from account_switch where id = any ($1::uuid[])", [ownerIds]);
  for (const table of ["recorder", "account_webhook", "event_call"])
    await tx.query(`delete from ${table} where owner_id = any ($1::uuid[])`, [ownerIds]);
  const waiting = rows.filter((row) => row.state === "waiting").map((row) => ({ ...row, state: "cancelled" as const }));
  await publish(tx, waiting.flatMap(outcomeOf));
}

/** Does it again for recently closed accounts: rows may have been added by late events and by attempts under way. */
export async function removeLateArrivals(db: Database): Promise<boolean> {
  await db.tx(async (tx) => {
    await pruneClosedAccounts(tx);
    await removeAccounts(tx, await recentlyClosed(tx));
  });
  return false;
}
