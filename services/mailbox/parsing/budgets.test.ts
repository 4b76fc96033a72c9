import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { topics } from "../../../proto/topics.ts";
import { Outage } from "../../platform/errors.ts";
import { claimDue } from "../../platform/jobs/claim-due.ts";
import { StoredContents } from "../browsing/stored-contents.ts";
import { contentLimits } from "../limits.ts";
import { ContentRenderer } from "../payload/content-renderer.ts";
import { accepted, type MailboxUnderTest, startMailbox } from "../test-support/mailbox-under-test.ts";
import { BudgetExceeded } from "../workers/budget-exceeded.ts";
import type { Workers } from "../workers/worker-pool.ts";
import { beginFullAttempt, parseTable } from "./parse-jobs.ts";

let mailbox: MailboxUnderTest;

beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.stop());

/** Workers in which whatever begins exceeds its budget, and such in which nothing may begin. */
const exceeded: Workers = {
  run: async (_task, begin) => {
    await begin();
    throw new BudgetExceeded("memory");
  },
};
const forbidden: Workers = { run: (task) => Promise.reject(new Error(`${task} began in full`)) };

const large = (head: string, unit: string) => Buffer.from(`${head}\r\n\r\n${unit.repeat(400_000 / unit.length)}`);

async function accept(raw: Buffer) {
  const mail = accepted({ isBrowsable: true, sizeBytes: raw.length, callbackUrl: "https://example.org/hook" });
  mailbox.peers.raw.set(mail.rawId, raw);
  mailbox.peers.browsable.set(mail.bindingId, true);
  await mailbox.consume(topics.mailAccepted, [mail]);
  return mail;
}

const kinds = async ({ ownerId, emailId }: { ownerId: string; emailId: string }) =>
  (await mailbox.client.timeline({ ownerId, emailId })).map(({ kind }) => kind);

test("a large message is parsed in a worker, as a small one is without", async () => {
  const raw = Buffer.concat([
    Buffer.from("Subject: big\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b\r\n"),
    Buffer.from("Content-Type: application/pdf; name=a.pdf\r\n\r\n"),
    large("", "pdf bytes "),
    Buffer.from("\r\n--b--\r\n"),
  ]);
  const { ownerId, emailId } = await accept(raw);
  await mailbox.read();
  const details = await mailbox.client.details({ ownerId, emailId });
  expect(details).toMatchObject({ subject: "big", isTruncated: false, payload: { "body-plain": "text" } });
  expect(details.attachments).toMatchObject([{ filename: "a.pdf", mime: "application/pdf", sizeBytes: 400_004 }]);
  expect(await kinds({ ownerId, emailId })).toEqual(["accepted", "stored"]);
});

test("a small mail that comes after a large one is stored while that is still being parsed", async () => {
  const big = await accept(large("Subject: big", "text "));
  const { rawMessage } = mailbox.peers.ingress;
  const released = Promise.withResolvers<void>();
  mailbox.peers.ingress.rawMessage = async (input) => {
    if (input.rawId === big.rawId) await released.promise;
    return rawMessage(input);
  };
  const parsingBig = mailbox.read({ classes: ["large"] });
  const small = await accept(Buffer.from("Subject: next\r\n\r\ntext"));
  await mailbox.read({ classes: ["small", "small again"] });
  expect([await kinds(small), await kinds(big)]).toEqual([["accepted", "stored"], ["accepted"]]);
  released.resolve();
  await parsingBig;
  expect(await kinds(big)).toEqual(["accepted", "stored"]);
});

test("what exceeds the budget is shown as its headers and the beginning of its text, and says so", async () => {
  const { ownerId, emailId } = await accept(large("Subject: costly\r\nX-Name: value", "costly text "));
  await mailbox.read({ workers: exceeded });
  const details = await mailbox.client.details({ ownerId, emailId });
  expect(details).toMatchObject({ subject: "costly", isTruncated: true, attachments: [] });
  expect(details.payload).toMatchObject({ "X-Name": "value" });
  expect(details.payload["body-plain"]).toMatch(/^costly text costly text/);
  expect(await kinds({ ownerId, emailId })).toEqual(["accepted", "stored", "truncated"]);
});

test("what ended the process while it was parsed in full is not parsed in full again", async () => {
  const mail = await accept(large("Subject: deadly", "deadly text "));
  // What a process does before it parses, and no more.
  await claimDue(mailbox.db, parseTable("large"), { limit: 1, visibilityTimeoutS: 30, statement: "claim" });
  await beginFullAttempt(mailbox.db, mail.emailId, 30);
  await mailbox.db.query("update parse_job set due_at = now()");
  mailbox.peers.raw.set(mail.rawId, new Outage("ingress"));
  await mailbox.read({ workers: forbidden });
  mailbox.peers.raw.set(mail.rawId, large("Subject: deadly", "deadly text "));
  await mailbox.db.query("update parse_job set due_at = now()");
  await mailbox.read({ workers: forbidden });
  expect(await mailbox.client.details({ ownerId: mail.ownerId, emailId: mail.emailId })).toMatchObject({
    subject: "deadly",
    isTruncated: true,
  });
});

test("bodies whose rendering exceeded the budget are not rendered in full again, by whichever process", async () => {
  const { emailId } = await accept(large("Subject: costly", "costly text "));
  await mailbox.read();
  const limits = contentLimits(10);
  const contents = new StoredContents(mailbox.db, limits);
  /** As a process does that has just started. */
  const render = async (workers: Workers) => {
    const row = await contents.find(emailId);
    if (!row) throw new Error("the email is not stored");
    return new ContentRenderer(workers, limits).bodies(contents.bodiesOf(row));
  };
  const reduced = await render(exceeded);
  expect(reduced.isTruncated).toBe(true);
  expect(reduced.text).toMatch(/^costly text costly text/);
  expect(await render(forbidden)).toEqual(reduced);
});
