import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { asSuperuser, type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { dayMs } from "../durations.ts";
import { firstIdAt } from "../ids.ts";
import { pruneInbox, pruneStatement } from "./inbox.ts";

const groups = ["mailbox.emails", "mailbox.released"];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ schema: "mailbox" });
});
beforeEach(async () => {
  await database.query("truncate inbox");
});
afterAll(() => database.dispose());

/** Events that were said, and then seen by each group, so many days ago; a millisecond lies between one and the next. */
async function fill(count: number, saidDays: number, seenDays = saidDays): Promise<void> {
  const at = (days: number) => Date.now() - days * dayMs;
  const ids = Array.from({ length: count }, (_, index) => firstIdAt(new Date(at(saidDays) + index)));
  await database.query(
    `insert into inbox (consumer_group, event_id, seen_at)
     select name, id, $3 from unnest($1::uuid[]) as id cross join unnest($2::text[]) as name`,
    [ids, groups, new Date(at(seenDays))],
  );
}

async function pruneAll(): Promise<void> {
  while (await pruneInbox(database)) await Promise.resolve();
}

async function left(): Promise<number> {
  const { rows } = await database.query<{ count: number }>("select count(*) from inbox");
  return rows[0]?.count ?? -1;
}

test("what each group saw over 14 days ago is forgotten, and nothing that was seen since", async () => {
  await fill(6_000, 15);
  await pruneAll();
  expect(await left()).toBe(0);
  await fill(10, 15);
  await fill(20, 13);
  // As a dead event that was sent again.
  await fill(30, 20, 1);
  await pruneAll();
  expect(await left()).toBe((20 + 30) * groups.length);
});

test("however often its pages were used again, no more is looked at than is forgotten", async () => {
  for (let day = 40; day >= 20; day -= 5) {
    await fill(4_000, day);
    await fill(4_000, day - 4);
    await asSuperuser(database.adminUrl, "delete from mailbox.inbox where event_id < $1", [
      firstIdAt(new Date(Date.now() - (day - 2) * dayMs)),
    ]);
    await asSuperuser(database.adminUrl, "vacuum analyze mailbox.inbox");
  }
  await fill(4_000, 10);
  const boundary = new Date(Date.now() - 14 * dayMs);
  const { rows } = await database.query<{ "QUERY PLAN": string }>(`explain (analyze, costs off) ${pruneStatement}`, [
    firstIdAt(boundary),
    boundary,
    1_000,
  ]);
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toContain("Index Scan using inbox_pkey");
  expect(plan).not.toMatch(/Seq Scan|Bitmap|Rows Removed by .*: [1-9]/);
  expect(await left()).toBe((4_000 + 4_000 - 1_000) * groups.length);
});
