import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import { ByteBudget } from "../../platform/concurrency/byte-budget.ts";
import { Outage } from "../../platform/errors.ts";
import { BodyReader } from "./body-reader.ts";

const mebibyte = 1024 * 1024;
const identity = { accountId: "account", username: "ann@example.org" };
const head = { attachments: [], recipient: "proxy@postern.localhost", receivedAt: "2024-01-20T02:00:46.000Z" };
const wanted = (emailId: string, ownerId = "owner") => ({
  emailId,
  ownerId,
  linksExpireAt: "2024-01-21T00:00:00.000Z",
});
const turn = () => new Promise(setImmediate);

/** A mailbox whose payloads have these sizes, and how many streams of it are open. */
function mailboxOf(sizes: Readonly<Record<string, number>>) {
  const opened: Readable[] = [];
  return {
    openCount: () => opened.filter(({ destroyed }) => !destroyed).length,
    askedCount: () => opened.length,
    callbackContent: async ({ emailId }: { emailId: string }) => {
      const payloadBytes = sizes[emailId] ?? 0;
      const pieces = function* () {
        yield Buffer.from(`${JSON.stringify({ ...head, payloadBytes })}\n`);
        for (let left = payloadBytes; left > 0; left -= mebibyte) yield Buffer.alloc(Math.min(left, mebibyte), "1");
      };
      const stream = Readable.from(pieces(), { objectMode: false });
      opened.push(stream);
      return stream;
    },
  };
}

test("long bodies in flight take no more than the budget together; one that waits holds nothing", async () => {
  const mailbox = mailboxOf({ a: 3 * mebibyte, b: 3 * mebibyte, c: 3 * mebibyte, short: 1_000 });
  const budget = new ByteBudget({ limitBytes: 6 * mebibyte, shareBytes: 6 * mebibyte });
  const reader = new BodyReader({ mailbox, budget });
  const [a, b] = [await reader.read(wanted("a"), identity), await reader.read(wanted("b"), identity)];
  const last = reader.read(wanted("c"), identity);
  const short = await reader.read(wanted("short"), identity);
  expect(Buffer.concat(short.pieces).length).toBeGreaterThan(1_000);
  await turn();
  expect(budget.usedBytes).toBe(6 * mebibyte);
  expect(mailbox.openCount()).toBe(0);
  a.release();
  const c = await last;
  expect(Buffer.concat(c.pieces).length).toBeGreaterThan(3 * mebibyte);
  // The body that had to wait was asked for twice.
  expect(mailbox.askedCount()).toBe(5);
  for (const { release } of [b, c, short]) release();
  expect(budget.usedBytes).toBe(0);
});

test("one owner's long bodies leave room for another's", async () => {
  const mailbox = mailboxOf({ a: 2 * mebibyte, b: 2 * mebibyte, c: 2 * mebibyte });
  const budget = new ByteBudget({ limitBytes: 4 * mebibyte, shareBytes: 2 * mebibyte });
  const reader = new BodyReader({ mailbox, budget });
  const first = await reader.read(wanted("a", "greedy"), identity);
  const second = reader.read(wanted("b", "greedy"), identity);
  const other = await reader.read(wanted("c", "other"), identity);
  other.release();
  first.release();
  (await second).release();
  expect(budget.usedBytes).toBe(0);
});

test("a stream that breaks off is an outage, and gives its room back", async () => {
  const broken = async () =>
    Readable.from(
      (function* () {
        yield Buffer.from(`${JSON.stringify({ ...head, payloadBytes: mebibyte })}\n`);
        throw new Error("gone");
      })(),
      { objectMode: false },
    );
  const budget = new ByteBudget({ limitBytes: mebibyte, shareBytes: mebibyte });
  const reader = new BodyReader({ mailbox: { callbackContent: broken }, budget });
  await expect(reader.read(wanted("a"), identity)).rejects.toThrow(Outage);
  expect(budget.usedBytes).toBe(0);
});
