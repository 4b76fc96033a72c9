import type { Queryable } from "../db/types.ts";

/** Longer than the bus keeps events, and than the inbox remembers them: nothing of the account comes after. */
const rememberedDays = 30;

/**
 * Accounts that are gone, in the service's own table `closed_account (id, closed_at)`: mail that was on its way when its account
 * was closed may come after account.closed, and is to be forgotten as well.
 */
export async function rememberClosed(tx: Queryable, accountIds: readonly string[]): Promise<void> {
  await tx.query(
    `insert into closed_account (id) select distinct id from unnest($1::uuid[]) as account (id) order by id on conflict do nothing`,
    [accountIds],
  );
}

/** Forgets accounts of which nothing can come any more. */
export async function pruneClosedAccounts(tx: Queryable): Promise<void> {
  await tx.query("delete from closed_account where closed_at < now() - make_interval(days => $1)", [rememberedDays]);
}

/** The ids of those that are remembered: something of them may still come. */
export async function recentlyClosed(tx: Queryable): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>("select id from closed_account");
  return rows.map(({ id }) => id);
}
