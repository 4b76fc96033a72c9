import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { pruneCalls } from "./retention.ts";

let database: TestDatabase;
beforeAll(async () => {
  // One connection: it counts for itself, and tells when it is asked to.
  database = await testDatabase({
    schema: "webhook",
    migrations: new URL("../migrations/", import.meta.url),
    poolSize: 1,
  });
});
afterAll(() => database.dispose());

async function callsRead(): Promise<number> {
  await database.query("select pg_stat_force_next_flush()");
  const { rows } = await database.query<{ count: number }>(
    "select (seq_tup_read + idx_tup_fetch)::int as count from pg_stat_user_tables where relname = 'recorded_call'",
  );
  return rows[0]?.count ?? -1;
}

test("old calls are found among new ones without a look at those", async () => {
  const hash = newId().replaceAll("-", "");
  const oldCalls = 20;
  await database.query("insert into recorder (hash, owner_id) values ($1, $2)", [hash, newId()]);
  await database.query(
    `insert into recorded_call (hash, method, body, at)
     select $1, 'POST', '', now() - case when number % 100 = 0 then interval '31 days' else interval '1 day' end
       from generate_series(1, $2::int) as number`,
    [hash, oldCalls * 100],
  );
  await database.query("analyze recorded_call");
  const before = await callsRead();
  expect(await pruneCalls(database)).toBe(false);
  // Each is found, and then deleted by its place.
  expect((await callsRead()) - before).toBeLessThanOrEqual(2 * oldCalls);
  const { rows } = await database.query("select count(*) from recorded_call");
  expect(rows).toEqual([{ count: oldCalls * 99 }]);
});
