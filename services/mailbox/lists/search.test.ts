import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { newId } from "../../platform/ids.ts";
import { type MailboxUnderTest, receive, startMailbox } from "../test-support/mailbox-under-test.ts";
import { type ListQuery, listAccountEmails } from "./list-account-emails.ts";

let mailbox: MailboxUnderTest;
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.stop());

async function listed(ownerId: string, question: Partial<ListQuery> = {}) {
  return (await listAccountEmails(mailbox.db, { ownerId, first: 20, ...question })).emails;
}

async function idsOf(ownerId: string, question: Partial<ListQuery> = {}): Promise<string[]> {
  return (await listed(ownerId, question)).map(({ id }) => id);
}

const mailFrom = (from: string, subject: string, body: string) =>
  `From: ${from}\r\nSubject: ${subject}\r\n\r\n${body}\r\n`;

describe("a search", () => {
  test("finds words of subjects, authors and bodies, those of its owner alone", async () => {
    const ownerId = newId();
    const body = "Your parcel has left Łódź. It's O'Reilly's back\\slash.";
    const { emailId } = await receive(mailbox, mailFrom("Ann Shop <news@mail.shop.example>", "Invoice 2026-17", body), {
      ownerId,
    });
    const other = await receive(mailbox, mailFrom("b@c.example", "Invoice of another owner", "Hello"));
    for (const search of [
      "invoice",
      "INVOI",
      "2026-17",
      "ann",
      "news@mail.shop.example",
      "mail.shop.example",
      "shop",
      "łódź",
    ])
      expect([search, await idsOf(ownerId, { search })]).toEqual([search, [emailId]]);
    for (const search of ['"left łódź"', "parcel or banana", "parcel -banana", "o'reilly", "back\\slash"])
      expect([search, await idsOf(ownerId, { search })]).toEqual([search, [emailId]]);
    for (const search of [
      "banana",
      "invoice -parcel",
      "another",
      "'",
      "\\",
      "' | '",
      "%",
      "!!",
      "a:*&b",
      "\0",
      "\ud800",
    ])
      expect([search, await idsOf(ownerId, { search })]).toEqual([search, []]);
    expect(await idsOf(other.ownerId, { search: "invoice" })).toEqual([other.emailId]);
  });

  test("goes beyond the newest emails by words, and not by what it excludes alone", async () => {
    const ownerId = newId();
    const { emailId, bindingId } = await receive(mailbox, mailFrom("a@b.example", "Needle", "hay"), { ownerId });
    await mailbox.db.query(
      `with entry as (
         insert into mail_entry (owner_id, email_id, binding_id, received_at, is_kept)
         select $1::uuid, ('ffffffff-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, $2::uuid, now(), true
           from generate_series(1, 1001) as number returning email_id),
       stored as (
         insert into content (email_id, binding_id, is_browsable, subject, attachment_count, headers)
         select email_id, $2, true, 'Straw', 0, '[]' from entry returning email_id)
       insert into mail_search (email_id, owner_id, words)
       select email_id, $1, array_to_tsvector(array[right($1::text, 8) || 'straw']) from stored`,
      [ownerId, bindingId],
    );
    for (const [search, found] of [
      ["needle", [emailId]],
      ["hay -straw", [emailId]],
      ["-straw", []],
      ["needle or -straw", []],
    ])
      expect([search, await idsOf(ownerId, { search: String(search) })]).toEqual([search, found]);
  });

  test("finds what stands in HTML alone, and not its tags", async () => {
    const ownerId = newId();
    const html =
      "Content-Type: text/html\r\nSubject: x\r\n\r\n<style>p{color:zebra}</style><p class=lion>A <b>tiger</b></p>";
    const { emailId } = await receive(mailbox, html, { ownerId });
    expect([await idsOf(ownerId, { search: "tiger" }), await idsOf(ownerId, { search: "zebra" })]).toEqual([
      [emailId],
      [],
    ]);
    expect(await listed(ownerId)).toMatchObject([{ preview: "A tiger" }]);
  });
});

describe("mail that wants to break the index of words", () => {
  const word = (length: number, seed: number) =>
    Array.from({ length }, (_, at) => String.fromCharCode(97 + ((seed * 31 + at * at * 7 + at) % 26))).join("");

  test.each([
    ["of one endless word", word(1_000_000, 1)],
    [
      "of words of 2 KB, which a tsvector cannot hold",
      Array.from({ length: 200 }, (_, at) => word(2_046, at)).join(" "),
    ],
    ["of 100,000 different words", Array.from({ length: 100_000 }, (_, at) => `w${at.toString(36)}`).join(" ")],
    ["of 300,000 hyphens", "a-".repeat(300_000)],
    ["of addresses in addresses", "a@b.c/".repeat(50_000)],
    ["of characters of four bytes", "𝒜𝒷 ".repeat(50_000)],
    ["of NUL and quotes", "\0'\\':*|&!<->() ".repeat(10_000)],
  ])("%s is stored and found by its subject", async (_, body) => {
    const ownerId = newId();
    const { emailId } = await receive(mailbox, mailFrom("a@b.example", "Needle", body), { ownerId });
    expect(await idsOf(ownerId, { search: "needle" })).toEqual([emailId]);
  });
});
