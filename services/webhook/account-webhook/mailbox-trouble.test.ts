import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import { type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { happen } from "../test-support/account-event.ts";
import { stopStarted } from "../test-support/egress.ts";
import { startWebhook } from "../test-support/webhook.ts";

const poolSize = 3;
let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase({ schema: "webhook", migrations: new URL("../migrations/", import.meta.url), poolSize });
});
afterEach(async () => {
  await stopStarted();
  await db.query("truncate account_webhook, event_call, outbox");
});
afterAll(() => db.dispose());

const url = "http://127.0.0.1/hook";

test("a mailbox that hangs holds no connection of the pool, and locks nobody out", async () => {
  const service = await startWebhook(db);
  const ownerIds = Array.from({ length: 2 * poolSize }, newId);
  const [kept = "", removed = "", ...others] = ownerIds;
  for (const ownerId of [kept, removed]) await service.client.setAccountWebhook({ ownerId, url });
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  let askedCount = 0;
  service.beforePush = async () => {
    askedCount += 1;
    await mayAnswer;
  };
  // Twice each: those of one account do not wait for each other either.
  const hanging = [
    ...[...others, ...others].map((ownerId) => service.client.setAccountWebhook({ ownerId, url })),
    ...[removed, removed].map((ownerId) => service.client.removeAccountWebhook({ ownerId })),
  ];
  const ended = Promise.allSettled(hanging);
  try {
    await eventually(() => expect(askedCount).toBeGreaterThanOrEqual(poolSize));
    const { webhook } = await service.client.accountWebhook({ ownerId: kept });
    expect(webhook?.url).toBe(url);
    await happen(service, { ownerId: kept });
    expect(await service.client.eventCalls({ ownerId: kept, first: 100 })).toHaveLength(1);
    await eventually(() => expect(askedCount).toBe(hanging.length));
    expect((await service.client.accountWebhook({ ownerId: removed })).webhook).toBeNull();
  } finally {
    answer();
  }
  expect((await ended).map(({ status }) => status)).toEqual(hanging.map(() => "fulfilled"));
  expect([...service.pushed].sort()).toEqual([kept, ...others].sort());
});

test("a webhook is not set while mailbox does not answer, and one that is set stays as it is", async () => {
  const [service, ownerId] = [await startWebhook(db), newId()];
  service.beforePush = () => Promise.reject(new Error("mailbox is away"));
  await expect(service.client.setAccountWebhook({ ownerId, url })).rejects.toThrow();
  expect(await service.client.accountWebhook({ ownerId })).toEqual({ webhook: null });
  service.beforePush = async () => undefined;
  await service.client.setAccountWebhook({ ownerId, url });
  service.beforePush = () => Promise.reject(new Error("mailbox is away"));
  await expect(service.client.setAccountWebhook({ ownerId, url: `${url}/other` })).rejects.toThrow();
  expect((await service.client.accountWebhook({ ownerId })).webhook?.url).toBe(url);
});

test("one that is removed while it is set leaves no events that are published for nobody", async () => {
  const [service, ownerId] = [await startWebhook(db), newId()];
  let isRemoved = false;
  service.beforePush = async (isPushed) => {
    const { webhook } = await service.client.accountWebhook({ ownerId });
    if (!isPushed || !webhook || isRemoved) return;
    isRemoved = true;
    await service.client.removeAccountWebhook({ ownerId });
  };
  await service.client.setAccountWebhook({ ownerId, url });
  expect(isRemoved).toBe(true);
  expect(await service.client.accountWebhook({ ownerId })).toEqual({ webhook: null });
  expect(service.pushed).not.toContain(ownerId);
});
