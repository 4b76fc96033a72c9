import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { happen } from "../test-support/account-event.ts";
import { webhookDatabase } from "../test-support/database.ts";
import { startTarget, stopStarted } from "../test-support/egress.ts";
import { secret, startWebhook, type WebhookUnderTest } from "../test-support/webhook.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await webhookDatabase();
});
afterEach(async () => {
  await stopStarted();
  await db.query("truncate account_webhook, event_call, outbox");
});
afterAll(() => db.dispose());

const webhook = (environment?: Readonly<Record<string, string>>) => startWebhook(db, environment);

const states = async (service: WebhookUnderTest, ownerId: string) =>
  (await service.client.eventCalls({ ownerId, first: 100 })).map(({ state }) => state);

test("what happens is told once, signed as callbacks are, as far as it is asked for", async () => {
  const hook = await startTarget(() => 204);
  const service = await webhook();
  const [ownerId, bindingId] = [newId(), newId()];
  const wanted = { ownerId, url: hook.url(), kinds: ["email.arrived"], bindingIds: [bindingId] };
  expect((await service.client.setAccountWebhook(wanted)).isCreated).toBe(true);
  expect((await service.client.setAccountWebhook(wanted)).isCreated).toBe(false);
  expect(service.pushed).toContain(ownerId);
  const [id = ""] = await happen(
    service,
    { ownerId, bindingId },
    { ownerId, bindingId: newId() },
    { ownerId, bindingId, kind: "address.removed" },
    { ownerId: newId(), bindingId },
  );
  const [call] = await hook.received(1);
  expect(JSON.parse(String(call?.body))).toEqual({
    id,
    bindingId,
    kind: "email.arrived",
    at: expect.any(String),
    emailId: null,
    address: null,
    outcome: null,
  });
  expect(await service.client.eventCalls({ ownerId, first: 100 })).toMatchObject([
    { id, emailId: null, address: null, body: String(call?.body) },
  ]);
  const headers = call?.headers as Record<string, string>;
  expect(() => new Webhook(secret).verify(String(call?.body), headers)).not.toThrow();
  expect(headers["webhook-id"]).toBe(id);
  await eventually(async () => expect(await states(service, ownerId)).toEqual(["delivered"]));
  expect(await service.client.eventCalls({ ownerId: newId(), first: 100 })).toEqual([]);
  const narrowed = async (by: { states?: ("delivered" | "waiting")[]; bindingId?: string }) =>
    (await service.client.eventCalls({ ownerId, first: 100, ...by })).length;
  expect([await narrowed({ states: ["delivered"], bindingId }), await narrowed({ states: ["waiting"] })]).toEqual([
    1, 0,
  ]);
  expect(await narrowed({ bindingId: newId() })).toBe(0);
  expect(hook.calls).toHaveLength(1);
  // No timeline of an email is told of it.
  expect(await service.published()).toEqual([]);
});

test("what failed is sent again to where the webhook is now: one, delivered or not, or all", async () => {
  let isWell = false;
  const hook = await startTarget(() => (isWell ? 200 : 500));
  const service = await webhook({ CALLBACK_RETRY_S: "3600" });
  const ownerId = newId();
  await service.client.setAccountWebhook({ ownerId, url: `${hook.url()}&old` });
  const [first = ""] = await happen(service, { ownerId }, { ownerId });
  await hook.received(2);
  await eventually(async () => {
    const calls = await service.client.eventCalls({ ownerId, first: 100 });
    expect(calls.map(({ attempts }) => attempts.length)).toEqual([1, 1]);
  });
  isWell = true;
  await service.client.setAccountWebhook({ ownerId, url: hook.url() });
  await expect(service.client.retryEventCalls({ ownerId: newId() })).rejects.toMatchObject({ kind: "NotFound" });
  expect(await service.client.retryEventCalls({ ownerId })).toEqual({ count: 2 });
  await eventually(async () => expect(await states(service, ownerId)).toEqual(["delivered", "delivered"]));
  expect(await service.client.retryEventCalls({ ownerId })).toEqual({ count: 0 });
  expect(await service.client.retryEventCalls({ ownerId, ids: [first, newId(), "'"] })).toEqual({ count: 1 });
  const calls = await hook.received(5);
  expect(calls.at(-1)?.headers["webhook-id"]).toBe(first);
  expect(calls.slice(2).map(({ path }) => path)).toEqual(Array(3).fill("/hook?x=1"));
});

test("what failed is counted, and sent again as far as it is of one binding or in one state", async () => {
  const service = await webhook({ CALLBACK_RETRY_S: "3600" });
  const [ownerId, bindingId] = [newId(), newId()];
  const hook = await startTarget(() => 500);
  await service.client.setAccountWebhook({ ownerId, url: hook.url() });
  await happen(service, { ownerId, bindingId }, { ownerId, bindingId: newId() }, { ownerId, bindingId });
  await hook.received(3);
  const failed = async (of: { bindingId?: string } = {}) =>
    (await service.client.failedEventCallCount({ ownerId, ...of })).count;
  expect(await failed()).toBe(0);
  await eventually(async () => {
    const end = "update event_call set state = 'given_up', settled_at = now() where jsonb_array_length(attempts) = 1";
    await db.query(end);
    expect(await failed()).toBe(3);
  });
  expect([await failed({ bindingId }), await failed({ bindingId: newId() })]).toEqual([2, 0]);
  const retried = async (of: { bindingId?: string; states?: ("cancelled" | "given_up")[] }) =>
    (await service.client.retryEventCalls({ ownerId, ...of })).count;
  expect(await retried({ states: ["cancelled"] })).toBe(0);
  expect(await retried({ bindingId, states: ["given_up"] })).toBe(2);
  expect(await failed()).toBe(1);
  // After 50 attempts none is made by hand.
  await db.query("update event_call set attempts = to_jsonb(array_fill(attempts -> 0, array[50]))");
  expect([await failed(), await retried({ states: ["given_up"] })]).toEqual([0, 0]);
});

test.each([
  ["gone", 410, "3600"],
  ["failing", 500, "0,0"],
])(
  "one that is %s is switched off, its owner told, and what waits is cancelled",
  async (offReason, status, schedule) => {
    const hook = await startTarget(() => status);
    const service = await webhook({ CALLBACK_RETRY_S: schedule });
    const ownerId = newId();
    const setting = { ownerId, url: hook.url() };
    await service.client.setAccountWebhook(setting);
    await happen(service, { ownerId });
    await eventually(async () =>
      expect(await service.client.accountWebhook({ ownerId })).toMatchObject({ webhook: { offReason } }),
    );
    const notices = await service.published();
    expect(notices).toMatchObject([
      {
        topic: "notice.requested",
        message: { recipient: "ann@example.org", accountId: ownerId, kind: "webhook-switched-off" },
      },
    ]);
    expect(String(notices[0]?.message["text"])).not.toContain("/hook");
    const callCount = hook.calls.length;
    await happen(service, { ownerId });
    expect(await states(service, ownerId)).toEqual(["given_up"]);
    const { webhook: again } = (await service.client.setAccountWebhook(setting)) ?? {};
    expect(again?.offReason).toBeNull();
    expect(hook.calls).toHaveLength(callCount);
  },
);

test("one that took something meanwhile stays on, whatever is given up", async () => {
  const hook = await startTarget(() => (String(hook.calls.at(-1)?.body).includes("address.made") ? 200 : 500));
  const service = await webhook({ CALLBACK_RETRY_S: "3600" });
  const ownerId = newId();
  await service.client.setAccountWebhook({ ownerId, url: hook.url() });
  const attempts = async () => (await service.client.eventCalls({ ownerId, first: 1 }))[0]?.attempts.length;
  await happen(service, { ownerId });
  await eventually(async () => expect(await attempts()).toBe(1));
  await happen(service, { ownerId, kind: "address.made" });
  await eventually(async () => expect(await states(service, ownerId)).toEqual(["delivered", "waiting"]));
  expect(await service.client.retryEventCalls({ ownerId })).toEqual({ count: 1 });
  await eventually(async () => expect(await states(service, ownerId)).toEqual(["delivered", "given_up"]));
  expect((await service.client.accountWebhook({ ownerId })).webhook?.offAt).toBeNull();
});

test("a slow webhook with a flood of events delays no other account's, and a flood is not kept without end", async () => {
  let [openCount, peakCount] = [0, 0];
  const slow = await startTarget((_count, response) => {
    openCount += 1;
    peakCount = Math.max(peakCount, openCount);
    response.once("close", () => {
      openCount -= 1;
    });
    return undefined;
  });
  const well = await startTarget(() => 200);
  const service = await webhook({ CALLBACK_CONCURRENCY: "20", CALLBACK_PER_HOST: "20" });
  const [busy, other] = [newId(), newId()];
  await service.client.setAccountWebhook({ ownerId: busy, url: slow.url() });
  await service.client.setAccountWebhook({ ownerId: other, url: well.url() });
  await happen(service, ...Array.from({ length: 100 }, () => ({ ownerId: busy })));
  await slow.received(10);
  await happen(service, ...Array.from({ length: 20 }, () => ({ ownerId: other })));
  await well.received(20);
  expect(peakCount).toBe(10);
  await db.query(
    `insert into event_call (id, owner_id, url, host, body, due_at)
     select gen_random_uuid(), $1, '', 'x', '{}', now() + interval '1 day' from generate_series(1, 20000)`,
    [busy],
  );
  const [beyond] = await happen(service, { ownerId: busy });
  expect((await db.query("select from event_call where id = $1", [beyond])).rows).toEqual([]);
  await service.client.removeAccountWebhook({ ownerId: busy });
  expect(service.pushed).not.toContain(busy);
  await service.client.removeAccountWebhook({ ownerId: busy });
  const { rows } = await db.query("select from event_call where owner_id = $1 and state = 'waiting'", [busy]);
  expect(rows).toEqual([]);
  await slow.stop();
});

test("a wrong setting changes nothing", async () => {
  const service = await webhook();
  const ownerId = newId();
  const wrong: [string, object][] = [
    ["url", { url: "http://169.254.169.254/latest" }],
    ["url", { url: "" }],
    ["kinds", { kinds: ["everything"] }],
    ["bindingIds", { bindingIds: ["'"] }],
    ["bindingIds", { bindingIds: Array(101).fill(newId()) }],
  ];
  for (const [field, given] of wrong) {
    const setting = { ownerId, url: "https://hook.example/", ...given };
    await expect(service.client.setAccountWebhook(setting)).rejects.toThrow(`${field}: `);
  }
  expect(await service.client.accountWebhook({ ownerId })).toEqual({ webhook: null });
  expect(service.pushed).not.toContain(ownerId);
});

test("nothing is left of an account that is closed", async () => {
  const service = await webhook();
  const ownerId = newId();
  await service.client.setAccountWebhook({ ownerId, url: "https://hook.invalid/" });
  await happen(service, { ownerId });
  await service.handle(topics.accountClosed, [{ message: { accountId: ownerId } } as never]);
  for (const table of ["account_webhook", "event_call"])
    expect((await db.query(`select from ${table} where owner_id = $1`, [ownerId])).rows).toEqual([]);
});

test("one that is set while the former is removed is told of events", async () => {
  const [service, ownerId] = [await webhook(), newId()];
  const set = () =>
    service.client.setAccountWebhook({ ownerId, url: "http://127.0.0.1/hook", kinds: [], bindingIds: [] });
  await set();
  let settingAgain: Promise<unknown> = Promise.resolve();
  service.beforePush = async (isPushed) => {
    if (isPushed) return;
    let isSet = false;
    settingAgain = set().then(() => (isSet = true));
    const waits =
      "select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())";
    await eventually(async () => expect(isSet || (await db.query(waits)).rowCount > 0).toBe(true));
  };
  await service.client.removeAccountWebhook({ ownerId });
  await settingAgain;
  expect((await service.client.accountWebhook({ ownerId })).webhook).not.toBeNull();
  expect(service.pushed).toContain(ownerId);
});
