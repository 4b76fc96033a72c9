import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { call, type RestAnswer, type RestClient } from "../support/http/rest-client.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";
import { sendMail } from "../support/mail/send-mail.ts";

// From another program's request to the mail that it gets, as one process and as a fleet.

let installation: Installation;
let rest: RestClient;
beforeAll(async () => {
  installation = await startInstallation();
  rest = await installation.rest();
}, 300_000);
afterAll(() => installation?.dispose());

async function madeKey(...scopes: string[]): Promise<string> {
  const query = `mutation ($scopes: [String!]!) { createApiKey(input: {name: "a key", scopes: $scopes}) { key } }`;
  const headers = { authorization: `Bearer ${rest.bearer}` };
  const { body } = await call(`${installation.url}/graphql`, "POST", { query, variables: { scopes } }, headers);
  return String(body?.["data"]?.["createApiKey"]?.["key"]);
}

const post = (path: string, body: unknown, headers: Record<string, string>) =>
  call(`${installation.url}${path}`, "POST", body, headers);

test("what a password manager makes forwards to the account's own address", async () => {
  const key = await madeKey("alias:create");
  const made = [
    (await post("//api/alias/random/new?hostname=shop.example", {}, { authentication: key })).body?.["alias"],
    (await post("/addy/api/v1/aliases", { domain: "postern.localhost" }, { authorization: `Bearer ${key}` })).body?.[
      "data"
    ]?.["email"],
  ].map(String);
  for (const to of made) await sendMail(installation.smtpPort, { to, subject: `forwarded ${to}`, text: "x" });
  await eventually(async () => {
    const left = (await installation.outbound()).filter(
      ({ envelopeTo }) => envelopeTo === installation.account.username,
    );
    for (const to of made) expect(left.some(({ message }) => message.includes(`forwarded ${to}`))).toBe(true);
  });
});

const next = (key: string, body: unknown) => post("/api/postern/v1/emails/next", body, { token: key });

const idOf = ({ body }: RestAnswer) => String(body?.["data"]?.["id"]);

test("waiters beside each other take every mail once", async () => {
  const key = await madeKey("mail:read");
  const { id: binding, proxyAddress } = await makeBinding(rest, { is_browsable: true });
  const waiting = Array.from({ length: 40 }, () => untilTaken(key, { binding, waiter: randomUUID() }));
  for (let at = 0; at < 40; at += 1)
    await sendMail(installation.smtpPort, { to: proxyAddress, subject: `n ${at}`, text: "x" });
  expect(new Set((await Promise.all(waiting)).map(idOf)).size).toBe(40);
});

/** Asks again after 204, as a client does. */
async function untilTaken(key: string, question: object): Promise<RestAnswer> {
  const answer = await next(key, { ...question, waitS: 20 });
  return answer.status === 204 ? untilTaken(key, question) : answer;
}

test("a process that ends while they wait costs each one repetition, and no mail", async () => {
  const key = await madeKey("mail:read");
  const { id: binding, proxyAddress } = await makeBinding(rest, { is_browsable: true });
  const waiters = Array.from({ length: 5 }, () => randomUUID());
  // A connection that breaks off is an answer too: that of a process that was killed.
  const waiting = waiters.map((waiter) => next(key, { binding, waiter, waitS: 25 }).catch(() => undefined));
  await sendMail(installation.smtpPort, { to: proxyAddress, subject: "before", text: "x" });
  await installation.process("rest").kill();
  const answered = (await Promise.all(waiting)).filter((answer) => answer?.status === 200);
  expect(answered.length).toBeLessThanOrEqual(1);
  await installation.revive();
  for (const subject of ["2", "3", "4", "5"])
    await sendMail(installation.smtpPort, { to: proxyAddress, subject, text: "x" });
  const repeated = await Promise.all(waiters.map((waiter) => untilTaken(key, { binding, waiter })));
  expect(new Set(repeated.map(idOf)).size).toBe(5);
}, 300_000);
