import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { eventually } from "../../../test/support/eventually.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { Outage } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { webhookDatabase } from "../test-support/database.ts";
import { startTarget, stopStarted } from "../test-support/egress.ts";
import { formerSecret, secret, startWebhook } from "../test-support/webhook.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await webhookDatabase();
});
afterEach(async () => {
  await stopStarted();
  await db.query("truncate callback, switch_off, recorder, recorded_call, outbox");
});
afterAll(() => db.dispose());

const webhook = (environment?: Readonly<Record<string, string>>) => startWebhook(db, environment);

describe("a callback", () => {
  test("says what the decisions want it to, signed by every secret that is valid", async () => {
    const hook = await startTarget(() => 204);
    const service = await webhook();
    const email = await service.store({ callbackUrl: hook.url() });
    const [call] = await hook.received(1);
    const text = call?.body.toString() ?? "";
    expect(JSON.parse(text)).toEqual({
      id: email.emailId,
      payload: { Subject: "Grüße ☃", "body-plain": "hello\n", attachments: null },
      attachments: [
        {
          filename: "a.txt",
          mime: "text/plain",
          size: 3,
          content_id: null,
          url: expect.stringMatching(/^http:\/\/x\.example\/a\?2/),
        },
      ],
      recipient: { address: "proxy@postern.localhost" },
      receivedAt: "Sat Jan 20 2024 02:00:46 GMT+0000",
      user: { id: email.ownerId, username: "ann@example.org" },
    });
    expect(call).toMatchObject({ method: "POST", path: "/hook?x=1", headers: { "content-type": "application/json" } });
    const headers = call?.headers as Record<string, string>;
    expect(headers["webhook-id"]).toBe(email.emailId);
    for (const valid of [secret, formerSecret]) expect(() => new Webhook(valid).verify(text, headers)).not.toThrow();
    expect(() => new Webhook(secret).verify(`${text} `, headers)).toThrow();
    expect(await service.settled()).toEqual({ [email.emailId]: "delivered" });
    expect(await service.published()).toMatchObject([
      {
        topic: "delivery.settled",
        message: {
          emailId: email.emailId,
          targetId: email.bindingId,
          target: hook.url(),
          response: "204 No Content",
          attemptCount: 1,
        },
      },
    ]);
    expect(await service.client.callbacks({ ownerId: email.ownerId, emailIds: [email.emailId, newId()] })).toEqual([
      {
        emailId: email.emailId,
        url: hook.url(),
        state: "delivered",
        nextAttemptAt: null,
        attempts: [
          {
            at: expect.any(String),
            status: 204,
            durationMs: expect.any(Number),
            failure: null,
            exchange: {
              requestHeaders: expect.objectContaining({ "webhook-id": email.emailId }),
              requestBytes: call?.body.length,
              responseHeaders: expect.objectContaining({ connection: "close" }),
              responseBody: "",
            },
          },
        ],
      },
    ]);
    expect(await service.client.callbacks({ ownerId: newId(), emailIds: [email.emailId] })).toEqual([]);
    expect(await service.metrics.expose("prometheus")).toContain('postern_callback_total{outcome="delivered"} 1');
  });

  test("that fails is made again with the same id and bytes, and a signature of its own", async () => {
    const hook = await startTarget((count) => (count < 3 ? 500 : 200));
    const service = await webhook({ CALLBACK_RETRY_S: "1,1" });
    const email = await service.store({ callbackUrl: hook.url() });
    const calls = await hook.received(3);
    const [first, , last] = calls;
    for (const call of calls) {
      expect(call.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
      expect(call.headers["webhook-id"]).toBe(email.emailId);
      expect(() =>
        new Webhook(secret).verify(call.body.toString(), call.headers as Record<string, string>),
      ).not.toThrow();
    }
    expect(last?.headers["webhook-signature"]).not.toBe(first?.headers["webhook-signature"]);
    expect(await service.settled()).toEqual({ [email.emailId]: "delivered" });
    const [shown] = await service.client.callbacks({ ownerId: email.ownerId, emailIds: [email.emailId] });
    expect(shown?.attempts.map(({ status, failure }) => [status, failure])).toEqual([
      [500, "The target answered 500 Internal Server Error."],
      [500, "The target answered 500 Internal Server Error."],
      [200, null],
    ]);
    expect((await service.published()).map(({ topic, message }) => [topic, message["response"]])).toEqual([
      ["delivery.deferred", "500 Internal Server Error"],
      ["delivery.deferred", "500 Internal Server Error"],
      ["delivery.settled", "200 OK"],
    ]);
  });

  test("is given up after the schedule's last wait, and made once more when its owner asks", async () => {
    let isWell = false;
    const hook = await startTarget(() => (isWell ? 200 : 404));
    const service = await webhook();
    const email = await service.store({ callbackUrl: hook.url() });
    await hook.received(4);
    expect(await service.settled()).toEqual({ [email.emailId]: "given_up" });
    isWell = true;
    const owned = { ownerId: email.ownerId, emailId: email.emailId };
    for (const wrong of [
      { ...owned, ownerId: newId() },
      { ...owned, emailId: newId() },
      { ...owned, emailId: "'" },
    ])
      await expect(service.client.retry(wrong)).rejects.toMatchObject({ kind: "NotFound" });
    await service.client.retry(owned);
    await hook.received(5);
    expect(await service.settled()).toEqual({ [email.emailId]: "delivered" });
    await expect(service.client.retry(owned)).rejects.toMatchObject({ kind: "NotFound" });
  });

  test("keeps the beginning of what a hostile target answers, and all that failed are made again at once", async () => {
    let isWell = false;
    const hook = await startTarget((_, response) => {
      if (isWell) return 200;
      const fields = Object.fromEntries(
        Array.from({ length: 60 }, (_value, at) => [`x-${at}`, "y".repeat(at === 0 ? 5_000 : 5)]),
      );
      response.writeHead(404, fields).end(`\0<script>${"ü".repeat(5_000)}`);
      return undefined;
    });
    const service = await webhook({ CALLBACK_RETRY_S: "0" });
    const email = await service.store({ callbackUrl: hook.url() });
    await hook.received(2);
    expect(await service.settled()).toEqual({ [email.emailId]: "given_up" });
    const [shown] = await service.client.callbacks({ ownerId: email.ownerId, emailIds: [email.emailId] });
    const exchange = shown?.attempts[0]?.exchange;
    expect(exchange?.responseBody).toMatch(/^\uFFFD<script>ü+/);
    expect(exchange?.responseBody.length).toBeLessThanOrEqual(2_048);
    expect(Object.keys(exchange?.responseHeaders ?? {})).toHaveLength(32);
    expect(exchange?.responseHeaders["x-0"]).toHaveLength(256);
    isWell = true;
    const { ownerId, emailId } = email;
    for (const wrong of [
      { ownerId: newId(), emailIds: [emailId] },
      { ownerId, emailIds: ["'"] },
    ])
      expect(await service.client.retryMany(wrong)).toEqual({ count: 0 });
    expect(await service.client.retryMany({ ownerId, emailIds: [emailId] })).toEqual({ count: 1 });
    await hook.received(3);
    expect(await service.settled()).toEqual({ [emailId]: "delivered" });
    expect(await service.client.retryMany({ ownerId, emailIds: [emailId] })).toEqual({ count: 0 });
  });

  test("follows no redirect", async () => {
    const elsewhere = await startTarget(() => 200);
    const hook = await startTarget((_, response) => {
      response.writeHead(302, { location: elsewhere.url() }).end();
      return undefined;
    });
    const service = await webhook({ CALLBACK_RETRY_S: "0" });
    const email = await service.store({ callbackUrl: hook.url() });
    await hook.received(2);
    expect(await service.settled()).toEqual({ [email.emailId]: "given_up" });
    expect(elsewhere.calls).toEqual([]);
    const [shown] = await service.client.callbacks({ ownerId: email.ownerId, emailIds: [email.emailId] });
    expect(shown?.attempts[0]).toMatchObject({
      status: 302,
      failure: "The target answered 302 Found: redirects are not followed.",
    });
  });

  test("that meets 410 ends there, with all that waits for the same target, and bindings is told until it hears", async () => {
    const hook = await startTarget(() => 410);
    const other = await startTarget((count) => (count === 1 ? 500 : 200));
    const service = await webhook({ CALLBACK_RETRY_S: "0.5", CALLBACK_PER_HOST: "1" });
    service.troubles.bindings.push(new Outage("bindings"));
    const ownerId = newId();
    const bindingId = newId();
    const later = { ownerId, bindingId, callbackUrl: hook.url() };
    const first = await service.store(later);
    await hook.received(1);
    const elsewhere = await service.store({ ownerId, bindingId, callbackUrl: other.url() });
    expect((await service.settled())[elsewhere.emailId]).toBe("delivered");
    await eventually(() => expect(service.switchedOff).toEqual([{ bindingId, callbackUrl: hook.url() }]));
    expect((await service.settled())[first.emailId]).toBe("given_up");
  });

  test("whose target is gone takes the others that wait for it along", async () => {
    const hook = await startTarget((count) => (count === 1 ? 500 : 410));
    const service = await webhook({ CALLBACK_RETRY_S: "3600" });
    const route = { ownerId: newId(), bindingId: newId(), callbackUrl: hook.url() };
    const waiting = await service.store(route);
    await eventually(async () => expect(await service.published()).toHaveLength(1));
    const gone = await service.store(route);
    expect(await service.settled()).toEqual({ [waiting.emailId]: "cancelled", [gone.emailId]: "given_up" });
    expect((await service.published()).map(({ message }) => [message["emailId"], message["outcome"]])).toEqual([
      [waiting.emailId, undefined],
      [gone.emailId, Outcome.GIVEN_UP],
      [waiting.emailId, Outcome.CANCELLED],
    ]);
  });
});
