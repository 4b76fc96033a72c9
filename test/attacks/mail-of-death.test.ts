import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { type CallbackTarget, callbackTarget } from "../support/http/callback-target.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import type { RestClient } from "../support/http/rest-client.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { nodeProcesses } from "../support/installation/resident-memory.ts";
import { emailIds } from "../support/mail/send-mail.ts";
import { hostileShapes } from "./support/hostile-shapes.ts";
import { sendPieces } from "./support/send-hostile.ts";

const mebibyte = 1024 * 1024;
/** Of the payload, and what stands beside it. */
const bodyLimitBytes = 10 * mebibyte + 64 * 1024;
const patience = { patienceMs: 150_000, restMs: 100 };

let installation: Installation;
let target: CallbackTarget;
let rest: RestClient;
let proxyAddress: string;
let pids: number[];

beforeAll(async () => {
  target = await callbackTarget();
  // Far less than one of these messages took.
  const environment = { NODE_OPTIONS: "--max-old-space-size=400", CALLBACK_ALLOW_CIDRS: "127.0.0.0/8" };
  installation = await startInstallation({ environment });
  rest = await installation.rest();
  ({ proxyAddress } = await makeBinding(rest, { callback_url: target.url, is_browsable: true }));
  pids = [...(await nodeProcesses(installation.processes())).keys()];
});
afterAll(async () => {
  await installation?.dispose();
  await target?.close();
});

const callOf = (emailId: string) => target.received.find(({ body }) => body["id"] === emailId);

async function calledBack(emailId: string) {
  return eventually(() => {
    const call = callOf(emailId);
    if (!call) throw new Error(`${emailId} is not called back yet`);
    return call;
  }, patience);
}

async function send(name: string, sizeBytes: number): Promise<string> {
  const shape = hostileShapes.find((each) => each.name === name);
  const reply = await sendPieces(installation.smtpPort, proxyAddress, shape?.message(sizeBytes) ?? []);
  expect(reply).toMatch(/^250 /);
  return emailIds(reply)[0] ?? "";
}

async function sendSmall(): Promise<string> {
  const pieces = [Buffer.from("From: ann@example.org\r\nSubject: next\r\n\r\nthe next one\r\n")];
  return emailIds(await sendPieces(installation.smtpPort, proxyAddress, pieces))[0] ?? "";
}

const livingPids = async () => [...(await nodeProcesses(installation.processes())).keys()];

test.each([
  ["less-than signs", 36_000_000],
  ["lines of a less-than sign", 10_000_000],
  ["lines that are almost boundaries", 30_000_000],
  ["one line", 35_000_000],
  // Their HTML would be six times as long.
  ["quotation marks", 34_000_000],
  ["quoted lines", 34_000_000],
])("%s: nothing dies of it, and the email is shown as far as the limits go", async (name, sizeBytes) => {
  const hostile = await send(name, sizeBytes);
  const next = await sendSmall();
  expect((await calledBack(next)).body).toMatchObject({ payload: { "body-plain": "the next one\n" } });
  const call = await calledBack(hostile);
  expect(Number(call.headers["content-length"])).toBeLessThan(bodyLimitBytes);
  expect(call.body["payload"]).toMatchObject({ Subject: name });
  const details = await rest.get(`/api/v1/received-emails/${hostile}`);
  expect(details.status).toBe(200);
  expect(details.text.length).toBeLessThan(bodyLimitBytes);
  expect(details.body?.["data"]?.["attributes"]).toMatchObject({ is_truncated: true, subject: name });
  expect(await livingPids()).toEqual(pids);
});

test("every hostile shape is called back, each with the mail behind it", async () => {
  for (const { name } of hostileShapes) {
    const hostile = await send(name, 300_000);
    const next = await sendSmall();
    await calledBack(next);
    expect((await calledBack(hostile)).body).toMatchObject({ payload: { "message-headers": expect.any(String) } });
  }
  expect(await livingPids()).toEqual(pids);
}, 600_000);
