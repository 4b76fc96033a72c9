import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { webhookDatabase } from "../test-support/database.ts";
import { type Responder, Target } from "../test-support/target.ts";
import { WebhookUnderTest } from "../test-support/webhook.ts";

let db: TestDatabase;
let service: WebhookUnderTest;
const targets: Target[] = [];

beforeAll(async () => {
  db = await webhookDatabase();
});
afterEach(async () => {
  // First of all, so that nobody waits for those that never answer.
  for (const started of targets.splice(0)) await started.stop();
  await service.stop();
  await db.query("truncate callback, switch_off, outbox");
});
afterAll(() => db.dispose());

async function target(responder: Responder): Promise<Target> {
  const started = await Target.start(responder);
  targets.push(started);
  return started;
}

const silence: Responder = () => undefined;
const limits = { CALLBACK_CONCURRENCY: "8", CALLBACK_PER_HOST: "2", CALLBACK_RETRY_S: "3600" };

test("a host that never answers takes its own room and no other", async () => {
  service = await WebhookUnderTest.start(db, limits);
  const dead = await target(silence);
  const well = await target(() => 200);
  for (let count = 0; count < 100; count += 1) await service.store({ callbackUrl: dead.url() });
  await dead.received(2);
  for (let count = 0; count < 20; count += 1) await service.store({ callbackUrl: well.url() });
  await well.received(20);
  expect(dead.calls).toHaveLength(2);
});

test("an owner with many hosts that never answer leaves half of the room to others", async () => {
  service = await WebhookUnderTest.start(db, limits);
  const ownerId = newId();
  const dead = await Promise.all(Array.from({ length: 6 }, () => target(silence)));
  const well = await target(() => 200);
  for (const { url } of dead.map((one) => ({ url: one.url() })))
    for (let count = 0; count < 3; count += 1) await service.store({ ownerId, callbackUrl: url });
  await eventually(() => expect(dead.reduce((sum, { calls }) => sum + calls.length, 0)).toBe(4));
  for (let count = 0; count < 20; count += 1) await service.store({ callbackUrl: well.url() });
  await well.received(20);
  expect(dead.reduce((sum, { calls }) => sum + calls.length, 0)).toBe(4);
});

test("a host's backlog goes on as soon as there is room, and each callback is made once", async () => {
  service = await WebhookUnderTest.start(db, limits);
  const well = await target(() => 200);
  const emails = await Promise.all(Array.from({ length: 150 }, () => service.store({ callbackUrl: well.url() })));
  const calls = await well.received(150);
  const called = calls.map(({ headers }) => headers["webhook-id"]);
  expect(called.sort()).toEqual(emails.map(({ emailId }) => emailId).sort());
  await eventually(async () => {
    const { rows } = await db.query("select distinct state from callback");
    expect(rows).toEqual([{ state: "delivered" }]);
  });
  expect(well.calls).toHaveLength(150);
});

test("a stop finishes what is in flight and leaves the rest for the next start", async () => {
  service = await WebhookUnderTest.start(db, limits);
  const pending: (() => void)[] = [];
  const slow = await target((_, response) => {
    pending.push(() => response.writeHead(200).end());
    return undefined;
  });
  for (let count = 0; count < 5; count += 1) await service.store({ callbackUrl: slow.url() });
  await slow.received(2);
  const stopped = service.stop();
  for (const answer of pending) answer();
  await stopped;
  const { rows } = await db.query("select state, count(*)::int as count from callback group by state order by state");
  expect(rows).toEqual([
    { state: "delivered", count: 2 },
    { state: "waiting", count: 3 },
  ]);
});
