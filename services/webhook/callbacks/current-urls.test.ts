import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { webhookDatabase } from "../test-support/database.ts";
import { startTarget, stopStarted } from "../test-support/egress.ts";
import { startWebhook, type WebhookUnderTest } from "../test-support/webhook.ts";

// An owner corrects a callback URL, or takes it away, while callbacks to the former one wait or were given up.

let db: TestDatabase;
let service: WebhookUnderTest;

beforeAll(async () => {
  db = await webhookDatabase();
});
beforeEach(async () => {
  // An hour: what is tried again is so because the owner asked.
  service = await startWebhook(db, { CALLBACK_RETRY_S: "3600" });
});
afterEach(async () => {
  await stopStarted();
  await db.query("truncate callback, switch_off, outbox");
});
afterAll(() => db.dispose());

/** One that failed once, to a target that would take it from now on. */
async function failedOnce() {
  const former = await startTarget((count) => (count === 1 ? 500 : 200));
  const ownerId = newId();
  const { emailId, bindingId } = await service.store({ ownerId, callbackUrl: former.url() });
  await eventually(async () => {
    const { rows } = await db.query(
      "select from callback where jsonb_array_length(attempts) = 1 and worker_id is null",
    );
    expect(rows).toHaveLength(1);
  });
  const shown = async () => (await service.client.callbacks({ ownerId, emailIds: [emailId] }))[0];
  const retry = async () => {
    await service.client.retry({ ownerId, emailId });
    await service.settled();
    return { ...(await shown()), formerCalls: former.calls.length };
  };
  return { bindingId, former, retry };
}

test("what is tried again goes to the URL that the binding has by then", async () => {
  const { bindingId, retry } = await failedOnce();
  const corrected = await startTarget(() => 200);
  service.callbackUrls.set(bindingId, corrected.url());
  expect(await retry()).toMatchObject({ state: "delivered", url: corrected.url(), formerCalls: 1 });
  expect(corrected.calls).toHaveLength(1);
});

test("nothing goes to a URL that was removed", async () => {
  const { bindingId, former, retry } = await failedOnce();
  service.callbackUrls.set(bindingId, "");
  expect(await retry()).toMatchObject({ state: "cancelled", url: former.url(), formerCalls: 1 });
  const messages = (await service.published()).map(({ message }) => message);
  expect(messages.at(-1)).toMatchObject({ response: "The callback URL was removed." });
});

test("410 from the new URL switches that one off", async () => {
  const { bindingId, retry } = await failedOnce();
  const gone = await startTarget(() => 410);
  service.callbackUrls.set(bindingId, gone.url());
  expect(await retry()).toMatchObject({ state: "given_up", url: gone.url() });
  await eventually(() => expect(service.switchedOff).toEqual([{ bindingId, callbackUrl: gone.url() }]));
});
