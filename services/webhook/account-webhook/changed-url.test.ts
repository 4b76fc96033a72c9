import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { type TestDatabase, testDatabase } from "../../../test/support/database.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { newId } from "../../platform/ids.ts";
import { happen } from "../test-support/account-event.ts";
import { startTarget, stopAfterTest, stopStarted } from "../test-support/egress.ts";
import { WebhookUnderTest } from "../test-support/webhook.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase({ schema: "webhook", migrations: new URL("../migrations/", import.meta.url) });
});
afterEach(async () => {
  await stopStarted();
  await db.query("truncate account_webhook, event_call, outbox");
});
afterAll(() => db.dispose());

async function webhook(environment: Readonly<Record<string, string>> = {}): Promise<WebhookUnderTest> {
  const started = await WebhookUnderTest.start(db, environment);
  stopAfterTest(() => started.stop());
  return started;
}

const onlyCall = async (service: WebhookUnderTest, ownerId: string) =>
  (await service.client.eventCalls({ ownerId, first: 1 }))[0];

test("a 410 of the former URL, to a call under way, does not switch the new one off", async () => {
  const held = Promise.withResolvers<() => void>();
  const former = await startTarget((_count, response) => {
    held.resolve(() => response.writeHead(410).end());
    return undefined;
  });
  const service = await webhook({ CALLBACK_RETRY_S: "3600" });
  const ownerId = newId();
  await service.client.setAccountWebhook({ ownerId, url: former.url() });
  await happen(service, { ownerId });
  const answer = await held.promise;
  const url = (await startTarget(() => 200)).url();
  await service.client.setAccountWebhook({ ownerId, url });
  answer();
  await eventually(async () => expect((await onlyCall(service, ownerId))?.attempts).toHaveLength(1));
  expect((await service.client.accountWebhook({ ownerId })).webhook).toMatchObject({ url, offReason: null });
});
