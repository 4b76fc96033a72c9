import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import { silentLogger } from "../../../test/support/peers/database.ts";
import { newId } from "../ids.ts";

import { MailWaiters } from "./mail-waiters.ts";

const free = { enter: async () => true, leave: async () => undefined };

interface WaitOptions {
  take?: boolean;
  disconnected?: AbortSignal;
  recipient?: string;
}

/** Waiters of one account for emails that `deliver` puts there, and how often they asked. */
function polls() {
  const feeds: PassThrough[] = [];
  const source = {
    arrivals: async () => {
      const feed = new PassThrough();
      feeds.push(feed);
      return feed;
    },
  };
  const mailWaiters = new MailWaiters(source, { concurrent: () => free }, silentLogger);
  const emails: string[] = [];
  const counted = { asks: 0 };
  const waitFor = (contentionKey: string | undefined, options: WaitOptions = {}) => {
    const { take = true, disconnected = new AbortController().signal, recipient } = options;
    const to = { ownerId: "owner", bindingId: "binding", recipient };
    const waiting = { ...to, waitMs: 60_000, contentionKey, waiter: undefined };
    return mailWaiters.until({ ...waiting, disconnected, requireCredential: async () => undefined }, async () => {
      counted.asks += 1;
      return take ? emails.shift() : emails[0];
    });
  };
  const deliver = (...ids: string[]) => {
    emails.push(...ids);
    for (const emailId of ids)
      feeds.at(-1)?.write(`${JSON.stringify({ bindingId: "binding", emailId, recipient: "p+a@a.example" })}\n`);
  };
  return { mailWaiters, counted, waitFor, deliver, feeds };
}

test("one email wakes one of those who would take it; several wake as many", async () => {
  const { mailWaiters, counted, waitFor, deliver } = polls();
  const waiters = Array.from({ length: 20 }, () => waitFor("the same"));
  await eventually(() => expect(counted.asks).toBe(20));
  const first = newId();
  deliver(first);
  expect(await Promise.race(waiters)).toBe(first);
  const more = [newId(), newId(), newId()];
  deliver(...more);
  await eventually(() => expect(counted.asks).toBeGreaterThanOrEqual(24));
  mailWaiters.end();
  const taken = (await Promise.all(waiters)).filter((each) => each !== undefined);
  expect(taken.toSorted()).toEqual([first, ...more].toSorted());
  // Each one that goes may wake one more in vain.
  expect(counted.asks).toBeLessThanOrEqual(20 + 2 * 4);
});

test("one email wakes each who only looks, or asks for something else", async () => {
  const { mailWaiters, counted, waitFor, deliver } = polls();
  const looking = [waitFor(undefined, { take: false }), waitFor(undefined, { take: false })];
  const other = waitFor("other");
  await eventually(() => expect(counted.asks).toBe(3));
  deliver("email");
  expect(await Promise.all(looking)).toEqual(["email", "email"]);
  expect(await other).toBe("email");
  mailWaiters.end();
});

test("mail to one tag wakes nobody who waits for another", async () => {
  const { mailWaiters, counted, waitFor, deliver } = polls();
  const others = Array.from({ length: 20 }, (_, at) => waitFor(`${at}`, { recipient: `p+${at}@a.example` }));
  await eventually(() => expect(counted.asks).toBe(20));
  const waiting = waitFor("a", { recipient: "P+A@a.example" });
  await eventually(() => expect(counted.asks).toBe(21));
  deliver("email");
  expect(await waiting).toBe("email");
  expect(counted.asks).toBe(22);
  mailWaiters.end();
  await Promise.all(others);
});

test("who was woken and is gone leaves the email to the next", async () => {
  const { counted, waitFor, deliver } = polls();
  const gone = new AbortController();
  const first = waitFor("the same", { disconnected: gone.signal });
  await eventually(() => expect(counted.asks).toBe(1));
  const second = waitFor("the same");
  await eventually(() => expect(counted.asks).toBe(2));
  deliver("email");
  gone.abort();
  const answers = await Promise.all([first, second].map((each) => Promise.race([each, delay(4_000, "late")])));
  expect(answers.filter((answer) => answer === "email")).toHaveLength(1);
});

test("a feed that has ended is asked for again", async () => {
  const { counted, waitFor, deliver, feeds } = polls();
  const waiting = waitFor("the same");
  await eventually(() => expect(counted.asks).toBe(1));
  feeds[0]?.end();
  await eventually(() => expect(feeds).toHaveLength(2));
  deliver("email");
  expect(await waiting).toBe("email");
});
