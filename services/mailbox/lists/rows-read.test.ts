import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { rowsRead } from "../../../test/support/peers/rows-read.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import { firstIdAt, newId } from "../../platform/ids.ts";
import { type ListQuery, listAccountEmails } from "./list-account-emails.ts";
import { mailCounts, mailDays, wholeAccount } from "./mail-counts.ts";
import { wordsOf } from "./search-words.ts";

const ownerId = newId();
const bindingIds = Array.from({ length: 200 }, newId);
const emailCount = 10_000;
const failedCount = 40;
const days = 30;
/** Far more than the five after which PostgreSQL may plan a prepared statement for the average owner. */
const calls = 20;
const first = 30;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({
    schema: "mailbox",
    migrations: new URL("../migrations/", import.meta.url),
    poolSize: 1,
  });
  const ours = Array.from({ length: emailCount }, (_, index) => ({
    ownerId,
    bindingId: bindingIds[index % 200] ?? "",
  }));
  const others = Array.from({ length: 3_000 }, () => ({ ownerId: newId(), bindingId: newId() }));
  await fill([...ours, ...others]);
  await database.query("vacuum analyze");
});
afterAll(() => database.dispose());

const filled = recordSet({ id: "uuid", ownerId: "uuid", bindingId: "uuid", index: "integer" });

/** Emails that are kept and unread, one a millisecond, the last ones failed; and every day's counts. */
async function fill(emails: readonly { ownerId: string; bindingId: string }[]): Promise<void> {
  const rows = emails.map((email, index) => ({ ...email, id: firstIdAt(new Date(Date.now() - 1e8 + index)), index }));
  const params = filled.params(rows);
  await database.query(
    `insert into email (id, owner_id, binding_id, received_at, sender, recipient, proxy_address, callback_url, received_from,
       authentication_results, size_bytes, raw_id, expected_outcomes, is_browsable)
     select id, owner_id, binding_id, now(), 's@sender.example', 'p@a.example', 'p@a.example', '', '', '', 1, id, 1, true
       from ${filled.from("email")}`,
    params,
  );
  await database.query(
    `insert into content (email_id, binding_id, is_browsable, subject, attachment_count, headers)
     select id, binding_id, true, 'Order ' || index, 0, '[]' from ${filled.from("email")}`,
    params,
  );
  await database.query(
    `insert into mail_entry (owner_id, email_id, binding_id, received_at, is_kept, is_unread, failed_count)
     select owner_id, id, binding_id, now(), true, true, case when index < ${failedCount} then 1 else 0 end from ${filled.from("email")}`,
    params,
  );
  await database.query(
    `insert into mail_search (email_id, owner_id, words)
     select id, owner_id, ${wordsOf("'order n' || index")} from ${filled.from("email")}`,
    params,
  );
  await database.query(
    `insert into mail_day (owner_id, binding_id, day, received, last_at)
     select $1, binding_id, current_date - back, 1, now() from unnest($2::uuid[]) as binding_id, generate_series(0, ${days - 1}) as back`,
    [ownerId, [wholeAccount, ...bindingIds]],
  );
}

/** The most rows of these tables that one of many calls looks at. */
async function readByOne(tables: readonly string[], call: () => Promise<unknown>): Promise<number> {
  const before = await rowsRead(database, tables);
  for (let count = 0; count < calls; count++) await call();
  return ((await rowsRead(database, tables)) - before) / calls;
}

test("an account's counts and days read a row a day, however many addresses and emails it has", async () => {
  const read = await readByOne(["mail_day", "mail_entry", "email"], async () => {
    expect((await mailCounts(database, ownerId, [wholeAccount])).get(wholeAccount)?.received).toBe(days);
    expect((await mailDays(database, ownerId, [wholeAccount], "2000-01-01")).get(wholeAccount)?.length).toBe(days);
  });
  expect(read).toBeLessThanOrEqual(2 * days);
});

test("the counts of a page of addresses read those addresses' days alone", async () => {
  const page = bindingIds.slice(0, 50);
  const read = await readByOne(["mail_day", "mail_entry", "email"], async () =>
    expect((await mailCounts(database, ownerId, page)).size).toBe(page.length),
  );
  expect(read).toBeLessThanOrEqual(page.length * days);
});

test.each<[string, Partial<ListQuery>]>([
  ["the inbox", {}],
  ["what is unread", { isUnread: true }],
  ["the failures, which are the oldest", { undelivered: ["FAILED", "RETRYING", "HELD"] }],
])("%s reads what it shows", async (_, filter) => {
  const read = await readByOne(["email", "mail_entry", "content"], async () =>
    expect((await listAccountEmails(database, { ownerId, first, ...filter })).emails.length).toBe(first),
  );
  expect(read).toBeLessThanOrEqual(4 * (first + 1));
});

test("a search for a word that all emails have looks at the newest, and for one that few have, at those besides", async () => {
  const tables = ["email", "mail_entry", "content", "mail_search"];
  const inAll = await readByOne(tables, async () =>
    expect((await listAccountEmails(database, { ownerId, first, search: "order" })).emails.length).toBe(first),
  );
  const inFew = await readByOne(tables, async () =>
    expect((await listAccountEmails(database, { ownerId, first, search: "n123" })).emails.length).toBe(11),
  );
  const newest = 1_001;
  expect(inAll).toBeLessThanOrEqual(2 * newest + 4 * (first + 1));
  expect(inFew).toBeLessThanOrEqual(2 * newest + 6 * (first + 1));
});
