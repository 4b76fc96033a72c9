import type { TestDatabase } from "./database.ts";

/** Rows of these tables that PostgreSQL has looked at so far, beyond what their indexes say. Exact for a pool of one connection. */
export async function rowsRead(database: TestDatabase, tables: readonly string[]): Promise<number> {
  // The connection counts for itself, and tells when it is asked to.
  await database.query("select pg_stat_force_next_flush()");
  const { rows } = await database.query<{ count: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count from pg_stat_user_tables
      where schemaname = current_schema() and relname = any ($1)`,
    [tables],
  );
  return rows[0]?.count ?? -1;
}
