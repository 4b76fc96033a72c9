import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { eventually } from "../support/eventually.ts";
import { type CallbackTarget, callbackTarget } from "../support/http/callback-target.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { call, type Document, type RestClient } from "../support/http/rest-client.ts";
import type { SharedInstallation } from "../support/installation/shared-installation.ts";
import { emailIds, sendMail } from "../support/mail/send-mail.ts";
import { plainInstallation } from "./support/installation.ts";

let installation: SharedInstallation;
let rest: RestClient;
let target: CallbackTarget;

beforeAll(async () => {
  target = await callbackTarget();
  installation = await plainInstallation();
  rest = await installation.rest();
});
afterAll(() => target?.close());

test("a callback that fails and then succeeds carries the email, signed with the account's secret", async () => {
  target.answerWith(500, 503);
  const { proxyAddress, id: bindingId } = await makeBinding(rest, { callback_url: target.url, is_browsable: true });
  const response = await sendMail(installation.smtpPort, { to: proxyAddress, subject: "Call me", text: "back" });
  const calls = await eventually(() => {
    const ours = target.received.filter(({ body }) => body["id"] === emailIds(response)[0]);
    expect(ours).toHaveLength(3);
    return ours;
  });
  const user = (await rest.get("/api/v1/users/me")).body?.["data"];
  const secret = String(user?.["attributes"]?.["webhook_secret"]);
  for (const { headers, body, method } of calls) {
    expect(method).toBe("POST");
    expect(headers["content-type"]).toMatch(/^application\/json/);
    expect(() => new Webhook(secret).verify(JSON.stringify(body), headers as Record<string, string>)).not.toThrow();
    expect(body).toMatchObject({
      recipient: { address: proxyAddress },
      user: { id: user?.["id"], username: installation.account.username },
      attachments: [],
    });
    expect(body["receivedAt"]).toMatch(/^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4} \d\d:\d\d:\d\d GMT\+0000$/);
    expect((body["payload"] as Document)["Subject"]).toBe("Call me");
    expect(JSON.stringify(body)).not.toContain(rest.token);
  }
  expect(new Set(calls.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  await eventually(async () => {
    const links = await rest.get(`/api/v1/received-emails-links/${bindingId}`);
    expect(links.body?.["data"]?.[0]?.["attributes"]?.["is_processed"]).toBe(true);
  });
});

test("the account's webhook is told what becomes of an email, signed as a callback is", async () => {
  const { proxyAddress, id: bindingId } = await makeBinding(rest, {
    real_addresses: [installation.account.username],
    is_browsable: true,
  });
  const webhook = "/api/postern/v1/webhook";
  expect((await rest.send("PUT", webhook, { url: target.url, bindingIds: [bindingId] })).status).toBe(201);
  const answer = await sendMail(installation.smtpPort, { to: proxyAddress, subject: "Tell of me", text: "x" });
  const [emailId] = emailIds(answer);
  const calls = await eventually(() => {
    const ours = target.received.filter(({ body }) => body["emailId"] === emailId);
    expect(ours.map(({ body }) => body["kind"]).toSorted()).toEqual(["delivery.settled", "email.arrived"]);
    return ours;
  });
  const user = (await rest.get("/api/v1/users/me")).body?.["data"];
  const secret = new Webhook(String(user?.["attributes"]?.["webhook_secret"]));
  for (const { headers, body } of calls) {
    expect(() => secret.verify(JSON.stringify(body), headers as Record<string, string>)).not.toThrow();
    expect(headers["webhook-id"]).toBe(body["id"]);
    expect(body).toMatchObject({ bindingId, emailId });
  }
  expect((await rest.send("DELETE", webhook)).status).toBe(204);
});

test("the service's own recorder shows what a callback looks like", async () => {
  const recorder = (await rest.send("POST", "/api/v1/callback", [])).body as Document;
  const { proxyAddress } = await makeBinding(rest, { callback_url: recorder["call_url"] });
  await sendMail(installation.smtpPort, { to: proxyAddress, subject: "Recorded", text: "x" });
  const recording = await eventually(async () => {
    const shown = await call(String(recorder["get_url"]), "GET", undefined, { token: rest.token });
    expect(shown.body?.["is_received"]).toBe(true);
    return shown.body as Document;
  });
  expect(recording["method"]).toBe("POST");
  expect(recording["payload"]?.["payload"]?.["Subject"]).toBe("Recorded");
});

test.each([
  ["a JSON object", "POST", '{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
  ["a JSON array", "PUT", "[1,2]", [1, 2]],
  ["a JSON string", "POST", '"text"', '"text"'],
  ["form data", "PATCH", "a=1&b=%20", "a=1&b=%20"],
  ["nothing", "DELETE", undefined, ""],
  ["text beyond ASCII", "POST", "grüße \u0000 東京", "grüße \u0000 東京"],
])("a recorder takes %s", async (_name, method, body, payload) => {
  const recorder = (await rest.send("POST", "/api/v1/callback")).body as Document;
  const before = await call(String(recorder["get_url"]), "GET", undefined, { token: rest.token });
  expect(before.body).toEqual({ status: "ok", code: "ok", is_received: false, payload: null, method: null });
  const sent = await fetch(String(recorder["call_url"]), { method, body });
  expect([sent.status, await sent.json()]).toEqual([200, { status: "ok" }]);
  const after = await call(String(recorder["get_url"]), "GET", undefined, { authorization: `Bearer ${rest.bearer}` });
  expect(after.body).toEqual({ status: "ok", code: "ok", is_received: true, payload, method });
});

test("a recorder takes multipart form data as the string that it is", async () => {
  const recorder = (await rest.send("POST", "/api/v1/callback")).body as Document;
  const form = new FormData();
  form.set("field", "value");
  await fetch(String(recorder["call_url"]), { method: "POST", body: form });
  const shown = await call(String(recorder["get_url"]), "GET", undefined, { token: rest.token });
  expect(shown.body?.["payload"]).toContain('name="field"');
});
