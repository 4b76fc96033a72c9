import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { type CallbackTarget, callbackTarget } from "../../support/http/callback-target.ts";
import { emailIds, sendMail } from "../../support/mail/send-mail.ts";
import { type MadeBinding, madeBinding, newAccount, type TestAccount } from "./support/accounts.ts";
import { refused } from "./support/ask.ts";
import { EventStream } from "./support/event-stream.ts";
import { graphInstallation } from "./support/installation.ts";

const email = `query ($id: ID!) {
  receivedEmail(id: $id) {
    id recipient sender subject text html isHtml isProcessed receivedAt sourceUrl
    headers { name value }
    attachments { filename mime sizeBytes contentId url }
    timeline { at kind target detail }
    deliveries { realAddress state attempts { at response } }
    callback { url state attempts { at status durationMs } }
    binding { id proxyAddress owner { id } }
  }
}`;
const inbox = `query ($id: ID!, $first: Int, $after: String, $search: String) {
  proxyBinding(id: $id) {
    receivedEmails
    emails(first: $first, after: $after, search: $search) { totalCount pageInfo { hasNextPage endCursor } nodes { id subject text } }
  }
}`;

let account: TestAccount;
let stranger: TestAccount;
let target: CallbackTarget;
beforeAll(async () => {
  [account, stranger, target] = await Promise.all([newAccount(), newAccount(), callbackTarget()]);
}, 200_000);
afterAll(() => target.close());

async function send(to: MadeBinding, subject: string, more = {}): Promise<string> {
  const { smtpPort } = await graphInstallation();
  const mail = { to: to.proxyAddress, subject, text: "Is anybody there?", ...more };
  return String(emailIds(await sendMail(smtpPort, mail))[0]);
}

/** An email once it has been read and all became of it that will. */
async function processed(id: string) {
  return eventually(async () => {
    const found = (await account.get(email, { id }))["receivedEmail"];
    expect(found).toMatchObject({ isProcessed: true, subject: expect.any(String) });
    return found;
  });
}

describe("receivedEmail", () => {
  test("shows all that is known of it, from every service", async () => {
    const binding = await madeBinding(account, { isBrowsable: true, callbackUrl: target.url });
    const attachments = [
      { filename: "Übersicht.bin", content: Buffer.from("nine byte"), contentType: "application/x-note" },
    ];
    const id = await send(binding, "Grüße 🎉", { attachments });
    const found = await processed(id);
    expect(found).toMatchObject({
      id,
      recipient: binding.proxyAddress,
      sender: "ann@example.com",
      subject: "Grüße 🎉",
      text: expect.stringContaining("Is anybody there?"),
      html: expect.stringContaining("Is anybody there?"),
      isHtml: false,
      receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      attachments: [{ filename: "Übersicht.bin", mime: "application/x-note", sizeBytes: 9, contentId: null }],
      deliveries: [],
      callback: { url: target.url, state: "delivered", attempts: [{ status: 200, durationMs: expect.any(Number) }] },
      binding: { id: binding.id, proxyAddress: binding.proxyAddress, owner: { id: account.id } },
    });
    expect(found?.["headers"]).toContainEqual({ name: "Subject", value: "Grüße 🎉" });
    const timeline = found?.["timeline"] as unknown as { kind: string }[];
    expect(timeline.map(({ kind }) => kind)).toEqual(["accepted", "stored", "called_back"]);
    const download = await fetch(String(found?.["attachments"]?.[0]?.["url"]));
    expect(await download.text()).toBe("nine byte");
    const source = await fetch(String(found?.["sourceUrl"]), {
      headers: { authorization: `Bearer ${account.bearer}` },
    });
    expect(source.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(await source.text()).toContain("Content-Type: multipart/mixed");
    const theirs = { headers: { authorization: `Bearer ${stranger.bearer}` } };
    expect((await fetch(String(found?.["sourceUrl"]), theirs)).status).toBe(404);
    expect((await fetch(String(found?.["sourceUrl"]))).status).toBe(401);
  });

  test("says whether something of it is left out", async () => {
    const binding = await madeBinding(account, { isBrowsable: true });
    const ids = [await send(binding, "whole"), await send(binding, "long", { text: "word ".repeat(600_000) })];
    for (const id of ids) await processed(id);
    const isTruncated = async (id: string) =>
      (await account.get("query ($id: ID!) { receivedEmail(id: $id) { isTruncated } }", { id }))["receivedEmail"];
    expect(await Promise.all(ids.map(isTruncated))).toEqual([{ isTruncated: false }, { isTruncated: true }]);
  });

  test("is its owner's, and of a browsable binding", async () => {
    const closed = await madeBinding(account);
    const unread = await send(closed, "not kept");
    await eventually(() => refused(account.ask(email, { id: unread }), "FORBIDDEN", "NotBrowsable"));
    await refused(stranger.ask(email, { id: unread }), "NOT_FOUND", "NotFound");
    for (const id of ["'", "", closed.id]) await refused(account.ask(email, { id }), "NOT_FOUND", "NotFound");
    await refused(account.ask(inbox, { id: closed.id }), "FORBIDDEN", "NotBrowsable");
  });

  test("is deleted, by its owner and once", async () => {
    const id = await send(await madeBinding(account, { isBrowsable: true }), "away with it");
    await processed(id);
    const remove = `mutation ($id: ID!) { deleteEmail(id: $id) { id } }`;
    await refused(stranger.ask(remove, { id }), "NOT_FOUND", "NotFound");
    expect(await account.get(remove, { id })).toEqual({ deleteEmail: { id } });
    await refused(account.ask(remove, { id }), "NOT_FOUND", "NotFound");
    await refused(account.ask(email, { id }), "NOT_FOUND", "NotFound");
  });
});

describe("emails", () => {
  test("come in pages, newest first, and are searched", async () => {
    const binding = await madeBinding(account, { isBrowsable: true });
    for (const subject of ["one", "two", "three"]) await processed(await send(binding, subject));
    const page = async (variables: object) =>
      (await account.get(inbox, { id: binding.id, ...variables }))["proxyBinding"]?.["emails"] as unknown as {
        totalCount: number;
        pageInfo: { hasNextPage: boolean; endCursor: string };
        nodes: { subject: string; text: string }[];
      };
    const first = await page({ first: 2 });
    expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    expect(first.nodes.map(({ subject }) => subject)).toEqual(["three", "two"]);
    const second = await page({ first: 2, after: first.pageInfo.endCursor });
    expect(second).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: false }, nodes: [{ subject: "one" }] });
    expect(await page({ search: "TWO" })).toMatchObject({ totalCount: 1, nodes: [{ subject: "two" }] });
    await refused(account.ask(inbox, { id: binding.id, after: "nonsense" }), "BAD_USER_INPUT", "ValidationFailed");
  });
});

describe("events", () => {
  test("tell of each email of the account that asks, and of nobody else's", async () => {
    const { url } = await graphInstallation();
    const [mine, theirs] = await Promise.all([
      EventStream.open(`${url}/events`, account.bearer),
      EventStream.open(`${url}/events`, stranger.bearer),
    ]);
    try {
      const binding = await madeBinding(account, { isBrowsable: true });
      const other = await madeBinding(stranger, { isBrowsable: true });
      const emailId = await send(binding, "live");
      const otherId = await send(other, "somebody else's");
      await eventually(() => expect(mine.events).toContainEqual({ bindingId: binding.id, emailId }));
      await eventually(() => expect(theirs.events).toEqual([{ bindingId: other.id, emailId: otherId }]));
      expect(mine.events).not.toContainEqual({ bindingId: other.id, emailId: otherId });
    } finally {
      mine.close();
      theirs.close();
    }
    expect((await fetch(`${url}/events`)).status).toBe(401);
  });
});

describe("callbacks", () => {
  const retry = `mutation ($id: ID!) { retryCallback(emailId: $id) { receivedEmail { callback { state } } } }`;
  const trial = `mutation ($id: ID!) { testCallback(proxyBindingId: $id) { url isSuccess status durationMs failure } }`;

  test("that failed are tried again on request", async () => {
    const flaky = await callbackTarget();
    try {
      flaky.answerWith(500);
      const id = await send(await madeBinding(account, { isBrowsable: true, callbackUrl: flaky.url }), "again");
      await eventually(async () =>
        expect((await account.get(email, { id }))["receivedEmail"]?.["callback"]).toMatchObject({
          state: "waiting",
          attempts: [{ status: 500 }],
        }),
      );
      await refused(stranger.ask(retry, { id }), "NOT_FOUND", "NotFound");
      await account.get(retry, { id });
      expect(await processed(id)).toMatchObject({
        callback: { state: "delivered", attempts: [{ status: 500 }, { status: 200 }] },
      });
      await refused(account.ask(retry, { id }), "NOT_FOUND", "NotFound");
    } finally {
      await flaky.close();
    }
  });

  test("can be tested without mail", async () => {
    const { id } = await madeBinding(account, { callbackUrl: target.url });
    const before = target.received.length;
    const success = { url: target.url, isSuccess: true, status: 200, durationMs: expect.any(Number), failure: null };
    expect(await account.get(trial, { id })).toEqual({ testCallback: success });
    const called = target.received.at(before);
    expect(called?.headers["webhook-signature"]).toMatch(/^v1,/);
    expect(called?.body).toMatchObject({ user: { id: account.id, username: account.username } });
    target.answerWith(404);
    const failure = "The target answered 404 Not Found";
    expect(await account.get(trial, { id })).toEqual({
      testCallback: { ...success, isSuccess: false, status: 404, failure },
    });
    const gone = await callbackTarget();
    await gone.close();
    const { id: unheard } = await madeBinding(account, { callbackUrl: gone.url });
    expect((await account.get(trial, { id: unheard }))["testCallback"]).toMatchObject({
      isSuccess: false,
      status: null,
    });
    await refused(account.ask(trial, { id: (await madeBinding(account)).id }), "CONFLICT", "Conflict");
    await refused(stranger.ask(trial, { id }), "NOT_FOUND", "NotFound");
  });
});

describe("recorders", () => {
  const one = `query ($id: ID!, $first: Int) { recorder(id: $id) { id callUrl getUrl calls(first: $first) { method body at } } }`;

  test("keep what they are called with, for their owner", async () => {
    const made = (
      await account.get(`mutation { createRecorder { recorder { id callUrl getUrl createdAt calls { body } } } }`)
    )["createRecorder"]?.["recorder"];
    const { url } = await graphInstallation();
    const id = String(made?.["id"]);
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      callUrl: `${url}/api/v1/callback/call/${id}`,
      getUrl: `${url}/api/v1/callback/get/${id}`,
      createdAt: expect.any(String),
      calls: [],
    });
    await fetch(String(made?.["callUrl"]), { method: "PUT", body: "first" });
    await fetch(String(made?.["callUrl"]), { method: "POST", body: '{"a":1}' });
    expect((await account.get(one, { id }))["recorder"]?.["calls"]).toMatchObject([
      { method: "POST", body: '{"a":1}' },
      { method: "PUT", body: "first" },
    ]);
    expect((await account.get(one, { id, first: 1 }))["recorder"]?.["calls"]).toHaveLength(1);
    await refused(account.ask(one, { id, first: 51 }), "BAD_USER_INPUT", "ValidationFailed");
    await refused(stranger.ask(one, { id }), "NOT_FOUND", "NotFound");
    expect(await account.get(`{ recorders { id calls { method } } }`)).toEqual({
      recorders: [{ id, calls: [{ method: "POST" }, { method: "PUT" }] }],
    });
    const remove = "mutation ($id: ID!) { deleteRecorder(id: $id) { id } }";
    await refused(stranger.ask(remove, { id }), "NOT_FOUND", "NotFound");
    expect(await account.get(remove, { id })).toEqual({ deleteRecorder: { id } });
    await refused(account.ask(one, { id }), "NOT_FOUND", "NotFound");
  });
});
