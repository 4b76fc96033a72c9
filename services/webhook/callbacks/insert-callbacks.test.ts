import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { topics } from "../../../proto/topics.ts";
import { silentLogger, type TestDatabase } from "../../../test/support/peers/database.ts";
import { consumer } from "../../platform/events/consumer.ts";
import { EventProcessor } from "../../platform/events/event-processor.ts";
import { event } from "../../platform/events/outbox/outbox.ts";
import { newId } from "../../platform/ids.ts";
import { createMetrics } from "../../platform/telemetry/metrics.ts";
import { webhookDatabase } from "../test-support/database.ts";
import { mailStored } from "../test-support/event.ts";
import { cancelForBindings } from "./cancel.ts";
import { callbacksOf, insertCallbacks } from "./insert-callbacks.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await webhookDatabase();
});
afterAll(() => db.dispose());

const rows = async () => {
  const { rows: found } = await db.query<{ id: string; url: string; host: string }>(
    "select email_id as id, url, host from callback order by email_id",
  );
  return found;
};

test("events that come twice, split and in any order make one callback for each email with a URL", async () => {
  const consumed = consumer(
    topics.mailStored,
    async (tx, events) => void (await insertCallbacks(tx, callbacksOf(events))),
  );
  const processor = new EventProcessor([consumed], {
    name: "webhook",
    db,
    consumers: [consumed],
    logger: silentLogger,
    metrics: createMetrics(),
  });
  const urls = fc.constantFrom("", "http://a.example/x", "https://B.example:8443/", "https://user:pass@c.example");
  const batches = fc.array(fc.array(fc.nat(9), { maxLength: 12 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(urls, { minLength: 1, maxLength: 10 }),
      batches,
      fc.boolean(),
      async (callbackUrls, order, isResent) => {
        await db.query("truncate callback, inbox");
        const emails = callbackUrls.map((callbackUrl) => mailStored({ callbackUrl }).message);
        const sent = emails.map((message) => event(topics.mailStored, message));
        for (const batch of [...order, [...sent.keys()]]) {
          // The same event again, or another event that says the same.
          const events = batch
            .filter((index) => index < sent.length)
            .map((index) =>
              isResent ? event(topics.mailStored, emails[index] ?? mailStored({}).message) : sent[index],
            );
          await processor.process(
            events.filter((given) => given !== undefined),
            new AbortController().signal,
          );
        }
        const expected = emails
          .filter(({ callbackUrl }) => callbackUrl !== "")
          .map(({ emailId, callbackUrl }) => ({
            id: emailId,
            url: callbackUrl,
            host: new URL(callbackUrl).host,
          }));
        expect(await rows()).toEqual(expected.sort((one, other) => (one.id < other.id ? -1 : 1)));
      },
    ),
    { numRuns: 40 },
  );
});

test("what became of a callback stays when its email is announced again", async () => {
  const stored = mailStored({});
  await db.tx((tx) => insertCallbacks(tx, callbacksOf([stored])));
  await db.tx((tx) => cancelForBindings(tx, [stored.message.bindingId]));
  await db.tx((tx) => insertCallbacks(tx, callbacksOf([{ ...stored, id: newId() }])));
  const { rows: found } = await db.query("select state from callback where email_id = $1", [stored.message.emailId]);
  expect(found).toEqual([{ state: "cancelled" }]);
});

test("a URL that is none is no poison: its attempt fails", async () => {
  const stored = mailStored({ callbackUrl: "nonsense" });
  await db.tx((tx) => insertCallbacks(tx, callbacksOf([stored])));
  expect((await rows()).find(({ id }) => id === stored.message.emailId)).toMatchObject({ host: "" });
});
