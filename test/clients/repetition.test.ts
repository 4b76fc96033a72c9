import { afterEach, describe, expect, test } from "@jest/globals";
import { arrivals } from "../../clients/typescript/src/arrivals.ts";
import {
  ApiError,
  ConnectionError,
  Postern,
  RateLimitedError,
  TimeoutError,
  UnavailableError,
} from "../../clients/typescript/src/index.ts";
import { pages } from "../../clients/typescript/src/pages.ts";
import { type ScriptedHttp, scriptedHttp, type Turn } from "./support/scripted-http.ts";

let server: ScriptedHttp | undefined;
afterEach(() => server?.close());

async function answering(...turns: [Turn, ...Turn[]]): Promise<{ server: ScriptedHttp; postern: Postern }> {
  server = await scriptedHttp(...turns);
  return { server, postern: new Postern({ url: `${server.url}/`, key: "psk_key" }) };
}

const refusal = (status: number, exception: string, headers = {}): Turn => ({
  status,
  headers,
  body: { data: { id: "018d2475", type: "errors", attributes: { message: "No.", exception, file: "rest", line: 0 } } },
});
const unavailable = refusal(503, "Unavailable");
const gone: Turn = { status: 204 };
const message = { from: "shop@postern.example", to: ["ann@shop.example"] };
const sent: Turn = { status: 202, body: { data: { id: "1" } } };
const created: Turn = { status: 200, body: { data: { createProxyBinding: null } } };

test("the key goes along in a header, and to no other place", async () => {
  const { server, postern } = await answering({ status: 302, headers: { location: "http://127.0.0.1:1/" } });
  await expect(postern.domains.list()).rejects.toThrow(ConnectionError);
  expect(server.requests.map(({ path, headers }) => [path, headers["token"]])).toContainEqual([
    "/api/postern/v1/domains",
    "psk_key",
  ]);
});

test("events go on at the last one's cursor, until there are no more", async () => {
  const lines = (first: number, count: number): Turn => ({
    status: 200,
    headers: { "content-type": "application/x-ndjson" },
    text: Array.from({ length: count }, (_, at) => `{"cursor":"${first + at}"}\n`).join(""),
  });
  const { server, postern } = await answering(lines(0, 1_000), unavailable, lines(1_000, 1));
  const cursors: string[] = [];
  for await (const { cursor } of postern.events("x")) cursors.push(cursor);
  expect(cursors).toEqual(Array.from({ length: 1_001 }, (_, at) => String(at)));
  expect(server.requests.map(({ path }) => new URL(path, "http://x").searchParams.get("after"))).toEqual([
    "x",
    "999",
    "999",
  ]);
});

test("of arrivals whose events are gone, those that are kept and were not told are, and that some are lost is said", async () => {
  const event = (at: number, emailId: string | null, kind = "email.arrived") =>
    `${JSON.stringify({ cursor: `c${at}`, kind, at: `2024-01-0${at}`, bindingId: "b", emailId })}\n`;
  const headers = { "content-type": "application/x-ndjson" };
  const lines = (...text: string[]): Turn => ({ status: 200, headers, text: text.join("") });
  const opened: Turn = { status: 200, text: "retry: 3000\n\n" };
  const { server, postern } = await answering(
    ...[lines(event(1, "old"), event(2, null, "address.made")), opened, lines(event(3, "first"))],
    ...[undefined, opened, refusal(410, "Gone"), lines(event(1, "old"), event(3, "first"), event(4, "second"))],
  );
  let lossCount = 0;
  const onLoss = () => {
    lossCount += 1;
  };
  const told: string[] = [];
  for await (const { emailId } of arrivals(postern.transport, { onLoss })) {
    told.push(emailId);
    if (emailId === "second") break;
  }
  expect([told, lossCount]).toEqual([["first", "second"], 1]);
  expect(server.requests.map(({ path }) => path.replace(/^.*after=/, ""))).toEqual([
    ...["/api/postern/v1/events?limit=1000", "/events", "c2"],
    ...["/events", "/events", "c3", "/api/postern/v1/events?limit=1000"],
  ]);
});

describe("what may be repeated is, and nothing else", () => {
  test("a read is asked again after an outage and a lost connection", async () => {
    const { server, postern } = await answering(unavailable, undefined, { status: 200, body: { data: [] } });
    expect(await postern.domains.list()).toEqual([]);
    expect(server.requests.length).toBe(3);
  });

  test("after so many attempts the error is the caller's", async () => {
    const { server, postern } = await answering(unavailable);
    await expect(postern.domains.list()).rejects.toThrow(UnavailableError);
    expect(server.requests.length).toBe(3);
  });

  test("a creation is not asked again where it may have been done", async () => {
    const { server, postern } = await answering(undefined, created);
    await expect(postern.addresses.create()).rejects.toThrow(ConnectionError);
    expect(server.requests.length).toBe(1);
  });

  test("what was refused for its rate is, unless that takes too long", async () => {
    const { server, postern } = await answering(refusal(429, "RateLimited", { "retry-after": "0" }), sent);
    expect(await postern.messages.send(message)).toEqual({ id: "1" });
    expect(server.requests.length).toBe(2);
    const slow = await answering(refusal(429, "RateLimited", { "retry-after": "3600" }));
    await expect(slow.postern.messages.send(message)).rejects.toThrow(RateLimitedError);
    await expect(slow.postern.messages.send(message)).rejects.toMatchObject({ retryAfterS: 3600, id: "018d2475" });
    expect(slow.server.requests.length).toBe(2);
    await server.close();
  });

  test("a message is sent again with the same key", async () => {
    const { server, postern } = await answering(undefined, sent);
    await postern.messages.send(message);
    const keys = server.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
  });

  test("what was to be removed and is gone was removed by the attempt before", async () => {
    const lost = await answering(undefined, refusal(404, "NotFound"));
    await lost.postern.addresses.remove("1");
    await lost.server.close();
    const never = await answering(refusal(404, "NotFound"), gone);
    await expect(never.postern.addresses.remove("1")).rejects.toMatchObject({ status: 404 });
  });
});

test("a wait is repeated by the same waiter, and looks again after what came to nothing", async () => {
  const attributes = {
    recipient_email: "shop@postern.example",
    sender_email: "ann@shop.example",
    subject: "Hello",
    payload: { from: "Ann <ann@shop.example>", "body-plain": "Hello." },
    attachments: [],
    created_at: "2026-11-22 10:00:00",
  };
  const found: Turn = { status: 200, body: { data: { id: "1", attributes, codes: [], links: [] } } };
  const { server, postern } = await answering(undefined, unavailable, gone, found);
  const email = await postern.emails.next({ address: "shop@postern.example", subject: "Hello" });
  expect([email.text, email.receivedAt.toISOString()]).toEqual(["Hello.", "2026-11-22T10:00:00.000Z"]);
  const asked = server.requests.map(({ body }) => JSON.parse(body) as { waiter: string; waitS: number });
  expect(new Set(asked.map(({ waiter }) => waiter)).size).toBe(1);
  expect(asked.length).toBe(4);
  for (const { waitS } of asked) expect(waitS).toBeLessThanOrEqual(25);
});

test("no answer in time is an error of its own, and what a proxy answers is one too", async () => {
  const silent = await answering("silence");
  const impatient = new Postern({ url: silent.server.url, key: "psk_key", timeoutMs: 50, retries: 0 });
  await expect(impatient.domains.list()).rejects.toThrow(TimeoutError);
  await silent.server.close();
  const { postern } = await answering({ status: 418, headers: { "content-type": "text/html" }, body: "<h1>No</h1>" });
  await expect(postern.domains.list()).rejects.toThrow(
    new ApiError({ status: 418, kind: "Unknown", message: "The service answered 418." }),
  );
});

test("a list that has more is asked for more", async () => {
  const asked: (string | null)[] = [];
  const list = pages(async (after) => {
    asked.push(after);
    return { nodes: [after], pageInfo: { hasNextPage: asked.length < 3, endCursor: `${asked.length}` } };
  });
  const found: unknown[] = [];
  for await (const each of list) found.push(each);
  expect([found, asked]).toEqual([
    [null, "1", "2"],
    [null, "1", "2"],
  ]);
});
