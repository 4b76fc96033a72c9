import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { newId } from "../../platform/ids.ts";
import { webhookDatabase } from "../test-support/database.ts";
import { startTarget, stopStarted } from "../test-support/egress.ts";
import { startWebhook } from "../test-support/webhook.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await webhookDatabase();
});
afterEach(async () => {
  await stopStarted();
  await db.query("truncate callback, recorder, recorded_call, account_switch, outbox");
});
afterAll(() => db.dispose());

const ownerId = newId();

async function disabled() {
  const hook = await startTarget(() => 200);
  const service = await startWebhook(db, { CALLBACK_RETRY_S: "60,600" });
  const set = (topic: typeof topics.accountDisabled | typeof topics.accountEnabled) =>
    service.handle(topic, [{ message: { accountId: ownerId }, occurredAt: new Date() } as never]);
  await set(topics.accountDisabled);
  return { hook, service, enable: () => set(topics.accountEnabled) };
}

test("callbacks of a disabled account are held, and made once it is enabled", async () => {
  const { hook, service, enable } = await disabled();
  const { emailId } = await service.store({ ownerId, callbackUrl: hook.url() });
  const other = await service.store({ callbackUrl: hook.url() });
  await eventually(async () => {
    const { rows } = await db.query(
      "select from callback where owner_id = $1 and due_at > now() + interval '5 minutes'",
      [ownerId],
    );
    expect(rows).toHaveLength(1);
  });
  await hook.received(1);
  await eventually(async () =>
    expect((await service.published()).map(({ message }) => message["emailId"])).toEqual([other.emailId]),
  );
  await enable();
  expect(await service.settled()).toEqual({ [emailId]: "delivered", [other.emailId]: "delivered" });
});

test("they are given up once the schedule of attempts would be over", async () => {
  const { hook, service } = await disabled();
  const receivedAt = timestampFromDate(new Date(Date.now() - 700_000));
  const { emailId } = await service.store({ ownerId, callbackUrl: hook.url(), receivedAt });
  expect(await service.settled()).toEqual({ [emailId]: "given_up" });
  expect(hook.calls).toEqual([]);
  expect(await service.published()).toMatchObject([
    {
      message: { outcome: Outcome.GIVEN_UP, response: "The account has been disabled for too long.", attemptCount: 0 },
    },
  ]);
});

test("its recorders are as if they were not there, and come back when it is enabled", async () => {
  const { service, enable } = await disabled();
  const { hash } = await service.client.createRecorder({ ownerId });
  const calls = () =>
    Promise.allSettled([
      service.client.findRecorder({ hash }),
      service.client.record({ hash, method: "PUT", body: "" }),
    ]);
  const refused = { status: "rejected", reason: expect.objectContaining({ kind: "NotFound" }) };
  expect(await calls()).toEqual([refused, refused]);
  await enable();
  expect(await calls()).toEqual([
    { status: "fulfilled", value: { ownerId } },
    { status: "fulfilled", value: {} },
  ]);
});
