import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { happen } from "../test-support/account-event.ts";
import { webhookDatabase } from "../test-support/database.ts";
import { startTarget, stopStarted } from "../test-support/egress.ts";
import { startWebhook, type WebhookUnderTest } from "../test-support/webhook.ts";

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

const onlyCall = async (service: WebhookUnderTest, ownerId: string) =>
  (await service.client.eventCalls({ ownerId, first: 1 }))[0];

/** A target whose first call waits for its answer. */
async function startHeldTarget() {
  const held = Promise.withResolvers<(status: number) => void>();
  const target = await startTarget((_count, response) => {
    held.resolve((status) => response.writeHead(status).end());
    return undefined;
  });
  return { url: target.url(), called: held.promise };
}

test("a 410 of the former URL, to a call under way, does not switch the new one off", async () => {
  const former = await startHeldTarget();
  const service = await webhook({ CALLBACK_RETRY_S: "3600" });
  const ownerId = newId();
  await service.client.setAccountWebhook({ ownerId, url: former.url });
  await happen(service, { ownerId });
  const answer = await former.called;
  const url = (await startTarget(() => 200)).url();
  await service.client.setAccountWebhook({ ownerId, url });
  answer(410);
  await eventually(async () => expect((await onlyCall(service, ownerId))?.attempts).toHaveLength(1));
  expect((await service.client.accountWebhook({ ownerId })).webhook).toMatchObject({ url, offReason: null });
});

test("a call that was delivered keeps the URL that it was delivered to", async () => {
  const former = await startHeldTarget();
  const service = await webhook();
  const ownerId = newId();
  await service.client.setAccountWebhook({ ownerId, url: former.url });
  const [id = ""] = await happen(service, { ownerId });
  const answer = await former.called;
  const now = await startTarget(() => 200);
  await service.client.setAccountWebhook({ ownerId, url: now.url() });
  answer(200);
  const isDelivered = { state: "delivered", url: former.url };
  await eventually(async () => expect(await onlyCall(service, ownerId)).toMatchObject(isDelivered));
  expect(await service.client.retryEventCalls({ ownerId })).toEqual({ count: 0 });
  expect(await onlyCall(service, ownerId)).toMatchObject(isDelivered);
  expect(await service.client.retryEventCalls({ ownerId, ids: [id] })).toEqual({ count: 1 });
  await now.received(1);
  await eventually(async () =>
    expect(await onlyCall(service, ownerId)).toMatchObject({ state: "delivered", url: now.url() }),
  );
});
