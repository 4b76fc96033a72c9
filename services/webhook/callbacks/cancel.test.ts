import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { Outage, Refusal } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { removeLateArrivals } from "../accounts/closed-accounts.ts";
import { webhookDatabase } from "../test-support/database.ts";
import { startTarget, stopStarted } from "../test-support/egress.ts";
import { startWebhook } from "../test-support/webhook.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await webhookDatabase();
});
afterEach(async () => {
  await stopStarted();
  await db.query("truncate callback, switch_off, recorder, recorded_call, closed_account, outbox");
});
afterAll(() => db.dispose());

const webhook = (environment?: Readonly<Record<string, string>>) => startWebhook(db, environment);

describe("no attempt", () => {
  test("is what happens while mailbox or auth is out of reach", async () => {
    const hook = await startTarget(() => 200);
    const service = await webhook();
    service.troubles.auth.push(new Outage("auth"));
    service.troubles.mailbox.push(
      new Outage("mailbox", { retryAfterS: 0.1 }),
      new Outage("mailbox", { retryAfterS: 0.1 }),
    );
    const email = await service.store({ callbackUrl: hook.url() });
    await hook.received(1);
    expect(await service.settled()).toEqual({ [email.emailId]: "delivered" });
    expect(await service.published()).toMatchObject([{ topic: "delivery.settled", message: { attemptCount: 1 } }]);
  });

  test("is made for an email or an account that is gone", async () => {
    const hook = await startTarget(() => 200);
    const service = await webhook();
    const ofNobody = newId();
    service.closedAccounts.add(ofNobody);
    const closed = await service.store({ callbackUrl: hook.url(), ownerId: ofNobody });
    expect(await service.settled()).toEqual({ [closed.emailId]: "cancelled" });
    service.troubles.mailbox.push(new Refusal("NotFound", { public: "There is no such email." }));
    const erased = await service.store({ callbackUrl: hook.url() });
    expect(await service.settled()).toEqual({ [closed.emailId]: "cancelled", [erased.emailId]: "cancelled" });
    expect(hook.calls).toEqual([]);
    expect((await service.published()).map(({ message }) => [message["outcome"], message["response"]])).toEqual([
      [Outcome.CANCELLED, "The account is closed."],
      [Outcome.CANCELLED, "The email is no longer kept: there is nothing left to send."],
    ]);
  });

  test("is made for a binding that was removed, and nothing stays of an account that was closed", async () => {
    const hook = await startTarget(() => 500);
    const service = await webhook({ CALLBACK_RETRY_S: "3600" });
    const ownerId = newId();
    const removed = await service.store({ ownerId, callbackUrl: hook.url() });
    const kept = await service.store({ ownerId, callbackUrl: hook.url() });
    await hook.received(2);
    const { hash } = await service.client.createRecorder({ ownerId });
    await eventually(async () => expect(await service.published()).toHaveLength(2));
    await service.handle(topics.bindingRemoved, [{ message: { bindingId: removed.bindingId } } as never]);
    const callbacks = await service.client.callbacks({ ownerId, emailIds: [removed.emailId, kept.emailId] });
    expect(callbacks.map(({ state }) => state)).toEqual(["cancelled", "waiting"]);
    await service.handle(topics.accountDisabled, [
      { message: { accountId: ownerId }, occurredAt: new Date() } as never,
    ]);
    await service.handle(topics.accountClosed, [{ message: { accountId: ownerId } } as never]);
    expect((await db.query("select from account_switch where id = $1", [ownerId])).rows).toEqual([]);
    expect(await service.client.callbacks({ ownerId, emailIds: [removed.emailId, kept.emailId] })).toEqual([]);
    await expect(service.client.record({ hash, method: "POST", body: "" })).rejects.toMatchObject({ kind: "NotFound" });
    const outcomes = (await service.published())
      .slice(2)
      .map(({ message }) => [message["emailId"], message["response"]]);
    expect(outcomes).toEqual([
      [removed.emailId, "The binding was removed."],
      [kept.emailId, "The account was closed."],
    ]);

    service.closedAccounts.add(ownerId);
    const late = await service.store({ ownerId, callbackUrl: hook.url() });
    await service.settled();
    await removeLateArrivals(db);
    expect(await service.client.callbacks({ ownerId, emailIds: [late.emailId] })).toEqual([]);
  });
});
