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

/** Those of which something may still come. */
export async function recentlyClosed(queryable: Queryable): Promise<string[]> {
  await queryable.query(`delete from closed_account where closed_at < now() - make_interval(days => $1)`, [
    rememberedDays,
  ]);
  const { rows } = await queryable.query<{ id: string }>(`select id from closed_account`);
  return rows.map(({ id }) => id);
}
