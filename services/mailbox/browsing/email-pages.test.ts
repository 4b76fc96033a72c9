import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { rowsRead } from "../../../test/support/peers/rows-read.ts";
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

const readSoFar = () => rowsRead(database, ["email", "content"]);

test("a page reads what it shows, however much its owner has", async () => {
  const first = 50;
  const [bindingId = ""] = bindingIds;
  const before = await readSoFar();
  let after: string | undefined;
  for (let call = 0; call < calls; call++) {
    const found = (await emailPages(database, [bindingId], { ownerId, first, after })).get(bindingId);
    expect(found?.emails.length).toBe(first);
    after = found?.nextCursor ?? undefined;
  }
  expect((await readSoFar()) - before).toBeLessThan(calls * 4 * first);
});

test("emails are counted by an index alone, unless something is looked for", async () => {
  const before = await readSoFar();
  for (let call = 0; call < calls; call++)
    expect([...(await emailCounts(database, [quietId], ownerId, undefined)).values()]).toEqual([perQuiet]);
  expect((await readSoFar()) - before).toBe(0);
});

test("what is looked for is looked for in the bindings that were asked for, and nowhere else", async () => {
  const before = await readSoFar();
  for (let call = 0; call < calls; call++)
    expect([...(await emailCounts(database, [quietId], ownerId, "order 3")).values()]).toEqual([11]);
  // A row of each table for each email.
  expect((await readSoFar()) - before).toBeLessThanOrEqual(calls * 2 * perQuiet);
  expect(await emailCounts(database, [quietId], newId(), "order 3")).toEqual(new Map());
});
