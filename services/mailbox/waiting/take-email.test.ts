import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import { firstIdAt, newId } from "../../platform/ids.ts";
import { maxSearchedEmails } from "./matching-emails.ts";
import { takeEmail } from "./take-email.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase({ schema: "mailbox", migrations: new URL("../migrations/", import.meta.url) });
});
afterAll(() => db.dispose());

interface Inbox {
  ownerId: string;
  bindingId: string;
}

const newInbox = (): Inbox => ({ ownerId: newId(), bindingId: newId() });

const filled = recordSet({ id: "uuid", ownerId: "uuid", bindingId: "uuid", recipient: "text", subject: "text" });

/** Stored emails, one a millisecond, oldest first. */
async function fill(inbox: Inbox, mails: readonly { recipient: string; subject: string }[]): Promise<void> {
  const began = Date.now() - mails.length;
  const rows = mails.map((mail, at) => ({ ...inbox, ...mail, id: firstIdAt(new Date(began + at)) }));
  await db.query(
    `with mail as materialized (select gen_random_uuid() as random, given.* from ${filled.from("given")}),
     named as (select (left(id::text, 24) || right(random::text, 12))::uuid as id, owner_id, binding_id, recipient, subject from mail),
     recorded as (
       insert into email (id, owner_id, binding_id, received_at, sender, recipient, proxy_address, callback_url, received_from,
              authentication_results, size_bytes, raw_id, expected_outcomes, is_browsable)
       select id, owner_id, binding_id, now(), 's@sender.example', recipient, 'p@a.example', '', '', '', 1, id, 1, true from named),
     stored as (
       insert into content (email_id, binding_id, is_browsable, subject, attachment_count, headers)
       select id, binding_id, true, subject, 0, '[]' from named)
     insert into tagged_email (email_id, binding_id, recipient)
     select id, binding_id, recipient from named where strpos(recipient, '+') > 0`,
    filled.params(rows),
  );
}

test("200 waiters beside each other over 20 mails each: every mail is taken once", async () => {
  const [accounts, waiters, mails] = [4, 50, 20];
  const inboxes = Array.from({ length: accounts }, newInbox);
  // Of two accounts the waiters share an inbox, of the others each has a tag of its own.
  const recipientOf = (account: number, waiter: number) => (account < 2 ? "p@a.example" : `p+w${waiter}@a.example`);
  for (const [account, inbox] of inboxes.entries()) {
    const recipients = Array.from({ length: waiters * mails }, (_, at) => recipientOf(account, at % waiters));
    await fill(
      inbox,
      recipients.map((recipient) => ({ recipient, subject: "x" })),
    );
  }
  await db.query("analyze email, content, tagged_email");
  const all = inboxes.flatMap((inbox, account) =>
    Array.from({ length: waiters }, (_, waiter) => ({ inbox, recipient: recipientOf(account, waiter) })),
  );
  const taken = await Promise.all(
    all.map(async ({ inbox, recipient }) => {
      const found: string[] = [];
      for (;;) {
        const id = await takeEmail(db, { ...inbox, recipient, take: true });
        // Others may hold what is left, and none of them gives it back.
        if (id === undefined) return found;
        found.push(id);
      }
    }),
  );
  expect(taken.flat()).toHaveLength(accounts * waiters * mails);
  expect(new Set(taken.flat()).size).toBe(accounts * waiters * mails);
});

test("what a process took for a waiter as it was killed, the same waiter gets from the next one", async () => {
  const inbox = newInbox();
  await fill(inbox, [
    { recipient: "p@a.example", subject: "First" },
    { recipient: "p@a.example", subject: "Second" },
  ]);
  const question = { ...inbox, waiter: crypto.randomUUID(), take: true };
  const lost = await takeEmail(db, question);
  expect(lost).toBeDefined();
  expect(await takeEmail(db, question)).toBe(lost);
  expect(await takeEmail(db, { ...question, waiter: crypto.randomUUID() })).not.toBe(lost);
});

test("a tag is found among however many others; a subject in a bounded number of the newest", async () => {
  const inbox = newInbox();
  const straw = Array.from({ length: maxSearchedEmails }, () => ({ recipient: "p+straw@a.example", subject: "Straw" }));
  await fill(inbox, [{ recipient: "p+needle@a.example", subject: "Needle" }, ...straw]);
  const peek = { ...inbox, take: false };
  const needle = await takeEmail(db, peek);
  expect(await takeEmail(db, { ...peek, recipient: "P+Needle@a.example" })).toBe(needle);
  expect(await takeEmail(db, { ...peek, subject: "needle" })).toBeUndefined();
  expect(await takeEmail(db, { ...peek, subject: "STRAW" })).toBeDefined();
  expect(await takeEmail(db, { ...peek, recipient: "p+needle@a.example", fromId: newId() })).toBeUndefined();
});
