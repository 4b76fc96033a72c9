import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { sendMail } from "../../support/mail/send-mail.ts";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { askGraph, madeKey } from "../support/api-keys.ts";
import { type Answer, askAt } from "../support/ask.ts";
import { type Made, madeBinding } from "../support/bindings.ts";
import { errorDocument } from "../support/documents.ts";
import { contractInstallation } from "../support/installation.ts";

const path = "/api/postern/v1/emails/next";

let anna: TestAccount;
let inbox: Made;
beforeAll(async () => {
  anna = await newAccount("anna");
  inbox = await madeBinding(anna, { is_browsable: true });
});

const next = (body: unknown, account = anna): Promise<Answer> => account.ask("POST", path, body);

/** An inbox of its own within a binding. */
function tagged(tag: string, { proxyAddress } = inbox): string {
  return proxyAddress.replace("@", `+${tag}@`);
}

async function send(to: string, subject: string, { from = "ann@example.com", text = "Hello." } = {}): Promise<void> {
  const { smtpPort } = await contractInstallation();
  const raw = `From: Ann <${from}>\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\n${text}\r\n`;
  await sendMail(smtpPort, { envelope: { from: "bounce@example.com", to }, raw });
}

const subjectOf = ({ body }: Answer) => body["data"]?.["attributes"]?.["subject"];

test("mail that came before the wait is found, with what a test looks for in it", async () => {
  const recipient = tagged("before");
  const text = "Your code is 482913.\r\nOr open https://shop.example/confirm?t=1&u=2.";
  await send(recipient, "Confirm", { text });
  const answer = await next({ recipient, waitS: 30 });
  expect(answer.status).toBe(200);
  const { id, attributes, codes, links } = answer.body["data"] ?? {};
  expect(codes).toEqual(["482913"]);
  expect(links).toEqual(["https://shop.example/confirm?t=1&u=2"]);
  const details = await anna.ask("GET", `/api/v1/received-emails/${String(id)}`);
  const { attachments: _a, updated_at: _u, is_processed: _p, ...shown } = attributes as Record<string, unknown>;
  expect(details.body["data"]?.["attributes"]).toMatchObject(shown);
});

test("mail that comes while it waits is found", async () => {
  const recipient = tagged("while");
  const waiting = next({ recipient, waitS: 60 });
  await send(recipient, "At last");
  expect(subjectOf(await waiting)).toBe("At last");
});

test("204 when none came in time, and what went to another tag is no match", async () => {
  await send(tagged("another"), "Elsewhere");
  const answer = await next({ recipient: tagged("nothing"), waitS: 0 });
  expect([answer.status, answer.text]).toEqual([204, ""]);
});

test("the oldest match first, each taken once; `from` and `subject` choose", async () => {
  const binding = (await madeBinding(anna, { is_browsable: true })).id;
  const { proxyAddress } = await anna.ask("GET", `/api/v1/proxy-bindings/${binding}`).then(({ body }) => ({
    proxyAddress: String(body["data"]?.["attributes"]?.["proxy_address"]),
  }));
  for (const subject of ["One", "Two", "Three"]) await send(proxyAddress, subject, { from: `${subject}@example.com` });
  const peeked = await next({ binding, subject: "three", take: false, waitS: 60 });
  expect(subjectOf(peeked)).toBe("Three");
  expect(subjectOf(await next({ binding, from: "TWO@example", waitS: 60 }))).toBe("Two");
  expect(subjectOf(await next({ binding, waitS: 60 }))).toBe("One");
  expect(subjectOf(await next({ binding, from: "bounce@", waitS: 60 }))).toBe("Three");
  expect((await next({ binding, waitS: 0 })).status).toBe(204);
  const later = new Date(Date.now() + 60_000).toISOString();
  expect((await next({ binding, since: later, take: false, waitS: 0 })).status).toBe(204);
});

test("waiters beside each other never share a mail", async () => {
  const recipient = tagged("many");
  const waiting = Array.from({ length: 20 }, () => next({ recipient, waitS: 60 }));
  for (let at = 0; at < 20; at += 1) await send(recipient, `Number ${at}`);
  const answers = await Promise.all(waiting);
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(new Set(answers.map(({ body }) => body["data"]?.["id"])).size).toBe(20);
});

test("the same waiter gets the same one again, at once too; another account's waiter of the same UUID is another", async () => {
  const recipient = tagged("again");
  for (const subject of ["First", "Second"]) await send(recipient, subject);
  const waiter = randomUUID();
  const question = { recipient, waiter, waitS: 60 };
  const answers = await Promise.all([next(question), next(question), next(question)]);
  expect(answers.map(subjectOf)).toEqual(["First", "First", "First"]);
  expect(subjectOf(await next(question))).toBe("First");
  expect(subjectOf(await next({ recipient, waiter: randomUUID(), waitS: 60 }))).toBe("Second");
  const stranger = await newAccount();
  const theirs = await madeBinding(stranger, { is_browsable: true });
  expect((await next({ binding: theirs.id, waiter, waitS: 0 }, stranger)).status).toBe(204);
  expect(subjectOf(await next(question))).toBe("First");
});

describe("refusals", () => {
  test.each([
    [{}],
    [{ recipient: 1 }],
    [{ recipient: "x@postern.localhost", waitS: 61 }],
    [{ recipient: "x@postern.localhost", waitS: -1 }],
    [{ recipient: "x@postern.localhost", waiter: "x" }],
    [{ recipient: "x@postern.localhost", since: "yesterday" }],
    [{ recipient: "x@postern.localhost", take: "yes" }],
    [[]],
  ])("422 for %j", async (body) => {
    const answer = await next(body);
    expect([answer.status, answer.body]).toEqual([422, errorDocument("ValidationFailed", "rest")]);
  });

  test("404 for somebody else's binding and one that never was", async () => {
    const stranger = await newAccount();
    const theirs = await madeBinding(stranger, { is_browsable: true });
    for (const body of [
      { binding: theirs.id },
      { recipient: theirs.proxyAddress },
      { binding: "x" },
      { recipient: "nobody@example.net" },
    ])
      expect((await next({ ...body, waitS: 0 })).status).toBe(404);
  });

  test("403 for one that is not browsable", async () => {
    const { id, proxyAddress } = await madeBinding(anna);
    for (const body of [{ binding: id }, { recipient: proxyAddress }])
      expect((await next({ ...body, waitS: 0 })).body).toEqual(errorDocument("NotBrowsable", "rest"));
  });

  test("429 for the 51st that waits; a key with mail:read waits like the token", async () => {
    const account = await newAccount();
    const { id } = await madeBinding(account, { is_browsable: true });
    const { key } = await madeKey(account, { scopes: ["mail:read"] });
    const { url } = await contractInstallation();
    const ended = new AbortController();
    // Each asks again: it may itself be the 51st beside the one below, and a slow machine may outlast its wait.
    const waitOn = async (): Promise<void> => {
      while (!ended.signal.aborted)
        await fetch(`${url}${path}`, {
          method: "POST",
          headers: { token: key, "content-type": "application/json" },
          body: JSON.stringify({ binding: id, waitS: 60 }),
          signal: ended.signal,
        }).catch(() => undefined);
    };
    const waiting = Array.from({ length: 50 }, waitOn);
    // Whichever of those that ask is the last: it is refused while the others wait.
    const last = async (): Promise<Answer> => {
      const answer = await askAt(url, {
        method: "POST",
        path,
        headers: { token: account.token },
        body: { binding: id, waitS: 0 },
      });
      return answer.status === 204 ? last() : answer;
    };
    const refused = await last();
    expect(refused.body).toEqual(errorDocument("RateLimited", "rest"));
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    ended.abort();
    await Promise.all(waiting);
  });
});

test("who waits is asked for its credential again: a key that was revoked gets nothing, nor takes anything", async () => {
  const recipient = tagged("revoked");
  const revoke = `mutation ($id: ID!) { revokeApiKey(id: $id) { id } }`;
  const wait = `mutation ($recipient: String!) { nextEmail(recipient: $recipient, waitS: 60) { codes } }`;
  const { key, id, ask } = await madeKey(anna, { scopes: ["mail:read"] });
  const waiting = Promise.all([
    ask("POST", path, { recipient, waitS: 60 }),
    askGraph(wait, { recipient }, { token: key }),
  ]);
  await askGraph(revoke, { id }, { authorization: `Bearer ${anna.bearer}` });
  const [rest, graph] = await waiting;
  expect([rest.status, graph.kinds]).toEqual([403, [expect.stringMatching(/^(BearerTokenInvalid|TokenNotFound)$/)]]);
  await send(recipient, "Still there");
  expect(subjectOf(await next({ recipient, waitS: 60 }))).toBe("Still there");
});

test("the graph waits as well", async () => {
  const recipient = tagged("graph");
  const query = `mutation ($recipient: String!, $waitS: Int!) {
    nextEmail(recipient: $recipient, waitS: $waitS) { receivedEmail { id subject } codes links }
  }`;
  const asked = (waitS: number) => askGraph(query, { recipient, waitS }, { token: anna.token });
  expect((await asked(61)).kinds).toEqual(["ValidationFailed"]);
  expect((await asked(0)).data["nextEmail"]).toEqual({ receivedEmail: null, codes: [], links: [] });
  await send(recipient, "By the graph", { text: "Your code is 482913." });
  const taken = await eventually(async () => {
    const { data } = await asked(15);
    expect(data["nextEmail"]?.["receivedEmail"]).not.toBeNull();
    return data["nextEmail"];
  });
  expect(taken).toMatchObject({ receivedEmail: { subject: "By the graph" }, codes: ["482913"] });
  expect((await asked(0)).data["nextEmail"]?.["receivedEmail"]).toBeNull();
});

test.each(["0000-01-01T00:00:00Z", "2024-01-01T00:00:00+23:59", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59-23:59"])(
  "since %s is answered, or named as what is wrong",
  async (since) => {
    const answer = await next({ binding: inbox.id, since, waitS: 0 });
    expect([since, answer.status]).toEqual([since, since.startsWith("2024") ? expect.any(Number) : 422]);
    expect(answer.status).toBeLessThan(500);
  },
);
