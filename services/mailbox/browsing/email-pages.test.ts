import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type TestDatabase, testDatabase } from "../../../test/support/database.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import { firstIdAt, newId } from "../../platform/ids.ts";
import { emailCounts, emailPages } from "./email-pages.ts";

const ownerId = newId();
const bindingIds = [newId(), newId(), newId()];
const perBinding = 2_000;
const [quietId, perQuiet] = [newId(), 40];
/** Far more than the five after which PostgreSQL may plan a prepared statement for the average owner. */
const calls = 20;

let database: TestDatabase;
beforeAll(async () => {
  // One connection: it counts for itself, and tells when it is asked to.
  database = await testDatabase({
    schema: "mailbox",
    migrations: new URL("../migrations/", import.meta.url),
    poolSize: 1,
  });
  const of = (bindingId: string, length: number) => Array.from({ length }, () => ({ ownerId, bindingId }));
  const ours = [...of(quietId, perQuiet), ...bindingIds.flatMap((bindingId) => of(bindingId, perBinding))];
  const others = Array.from({ length: 3_000 }, () => ({ ownerId: newId(), bindingId: newId() }));
  await fill([...ours, ...others]);
  await database.query("vacuum analyze email, content");
});
afterAll(() => database.dispose());

const filled = recordSet({ id: "uuid", ownerId: "uuid", bindingId: "uuid", index: "integer" });

/** Emails, one a millisecond; ours were read and kept. */
async function fill(emails: readonly { ownerId: string; bindingId: string }[]): Promise<void> {
  const rows = emails.map((email, index) => ({ ...email, id: firstIdAt(new Date(Date.now() - 1e8 + index)), index }));
  await database.query(
    `insert into email (id, owner_id, binding_id, received_at, sender, recipient, proxy_address, callback_url, received_from,
       authentication_results, size_bytes, raw_id, expected_outcomes, is_browsable)
     select id, owner_id, binding_id, now(), 's@sender.example', 'p@a.example', 'p@a.example', '', '', '', 1, id, 1, true
       from ${filled.from("email")}`,
    filled.params(rows),
  );
  await database.query(
    `insert into content (email_id, binding_id, is_browsable, subject, attachment_count, headers)
     select id, binding_id, true, 'Order ' || index, 0, '[]'
       from ${filled.from("email", 2)} where owner_id = $1`,
    [ownerId, ...filled.params(rows)],
  );
}

/** Rows of emails and their contents that PostgreSQL has looked at so far, beyond what their indexes say. */
async function rowsRead(): Promise<number> {
  await database.query("select pg_stat_force_next_flush()");
  const { rows } = await database.query<{ count: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count from pg_stat_user_tables
      where schemaname = 'mailbox' and relname in ('email', 'content')`,
  );
  return rows[0]?.count ?? -1;
}

test("a page reads what it shows, however much its owner has", async () => {
  const first = 50;
  const [bindingId = ""] = bindingIds;
  const before = await rowsRead();
  let after: string | undefined;
  for (let call = 0; call < calls; call++) {
    const found = (await emailPages(database, [bindingId], { ownerId, first, after })).get(bindingId);
    expect(found?.emails.length).toBe(first);
    after = found?.nextCursor ?? undefined;
  }
  expect((await rowsRead()) - before).toBeLessThan(calls * 4 * first);
});

test("emails are counted by an index alone, unless something is looked for", async () => {
  const before = await rowsRead();
  for (let call = 0; call < calls; call++)
    expect([...(await emailCounts(database, [quietId], ownerId, undefined)).values()]).toEqual([perQuiet]);
  expect((await rowsRead()) - before).toBe(0);
});

test("what is looked for is looked for in the bindings that were asked for, and nowhere else", async () => {
  const before = await rowsRead();
  for (let call = 0; call < calls; call++)
    expect([...(await emailCounts(database, [quietId], ownerId, "order 3")).values()]).toEqual([11]);
  // A row of each table for each email.
  expect((await rowsRead()) - before).toBeLessThanOrEqual(calls * 2 * perQuiet);
  expect(await emailCounts(database, [quietId], newId(), "order 3")).toEqual(new Map());
});
