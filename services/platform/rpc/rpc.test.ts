import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { Outage, Refusal } from "../errors.ts";
import { Secrets } from "../security/secrets.ts";
import { createLogger } from "../telemetry/logger.ts";
import { callListener } from "./call-listener.ts";
import { httpClient, inProcessClient } from "./client.ts";
import { sender } from "./send.ts";
import { serveContract } from "./serve-contract.ts";
import { ServiceTokens } from "./service-tokens.ts";
import { httpStreams, inProcessStreams, streamListener } from "./streams.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });
const secrets = new Secrets("a key");
const contract = {
  service: "sums",
  procedures: {
    add: {
      kind: "query",
      input: z.object({ a: z.number(), b: z.number(), note: z.string().optional() }),
      output: z.object({ sum: z.number() }),
    },
    fail: {
      kind: "mutation",
      input: z.object({ how: z.enum(["refusal", "outage", "fault", "wrong output"]) }),
      output: z.object({ done: z.boolean() }),
    },
  },
  streams: { digits: z.object({ count: z.number() }) },
} as const;

const implementation = {
  add: async ({ a, b }: { a: number; b: number }) => ({ sum: a + b }),
  fail: async ({ how }: { how: string }) => {
    if (how === "refusal")
      throw new Refusal("RateLimited", { public: "Too many.", operator: "seen 12", retryAfterS: 7 });
    if (how === "outage") throw new Outage("database", { retryAfterS: 3 });
    if (how === "fault") throw new Error("secret detail");
    return { done: "perhaps" };
  },
};
const streams = {
  digits: async ({ count }: { count: number }) => {
    if (count < 0) throw new Refusal("NotFound", { public: "No such digits." });
    return Readable.from([Buffer.from("0123456789".repeat(10_000).slice(0, count))]);
  },
};

const serve = serveContract(contract, implementation, logger);
const tokens = new ServiceTokens(secrets);
const answerCall = callListener({ service: "sums", serve, tokens });
const answerStream = streamListener(contract, streams, secrets);
const server = createServer((request, response) =>
  (request.url?.startsWith("/rpc/sums/") ? answerCall : answerStream)(request, response),
).listen(0);
const send = sender();
let url = "";

beforeAll(async () => {
  if (!server.listening) await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const ways = {
  "in one process": () => ({
    client: inProcessClient(contract, () => serve),
    stream: inProcessStreams(contract, () => streams),
  }),
  "over HTTP": () => ({
    client: httpClient(contract, { url, timeoutMs: 30_000, token: () => tokens.token("tester", "sums"), send }),
    stream: httpStreams(contract, { url, caller: "tester", secrets, timeoutMs: 30_000, send }),
  }),
};

describe.each(Object.entries(ways))("%s", (_name, connect) => {
  test("an answer comes back, undefined members do not travel", async () => {
    expect(await connect().client.add({ a: 1, b: 2, note: undefined })).toEqual({ sum: 3 });
  });

  test("a refusal arrives as itself", async () => {
    const error = await connect()
      .client.fail({ how: "refusal" })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({
      kind: "RateLimited",
      status: 429,
      publicMessage: "Too many.",
      operatorMessage: "seen 12",
      retryAfterS: 7,
      service: "sums",
    });
  });

  test("an outage of what the service needs arrives as an outage", async () => {
    const error = await connect()
      .client.fail({ how: "outage" })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Outage);
    expect(error).toMatchObject({ kind: "Unavailable", what: "database", status: 503, retryAfterS: 3 });
  });

  test.each(["fault", "wrong output"] as const)(
    "a %s of ours is Internal, its detail the operator's alone",
    async (how) => {
      const error = await connect()
        .client.fail({ how })
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        kind: "Internal",
        status: 500,
        publicMessage: "Something went wrong on our side.",
      });
    },
  );

  test("bytes come as a stream, a refusal instead of one as itself", async () => {
    const { stream } = connect();
    expect((await buffer(await stream.digits({ count: 4 }))).toString()).toBe("0123");
    await expect(stream.digits({ count: -1 })).rejects.toMatchObject({ kind: "NotFound" });
  });
});

test("a peer that is not there is an outage of it, never anything else", async () => {
  const gone = httpClient(contract, {
    url: "http://127.0.0.1:9",
    timeoutMs: 1_000,
    token: () => tokens.token("tester", "sums"),
    send,
  });
  await expect(gone.add({ a: 1, b: 1 })).rejects.toMatchObject({ kind: "Unavailable", what: "sums" });
  const options = { url: "http://127.0.0.1:9", caller: "tester", secrets, timeoutMs: 1_000, send };
  const digits = httpStreams(contract, options).digits({ count: 1 });
  await expect(digits).rejects.toMatchObject({ kind: "Unavailable", what: "sums" });
});

test("what a service of the release before does not know is an outage of it, and nothing that is gone", async () => {
  const later = {
    ...contract,
    procedures: { multiply: contract.procedures.add },
    streams: { letters: contract.streams.digits },
  } as const;
  const client = httpClient(later, { url, timeoutMs: 30_000, token: () => tokens.token("tester", "sums"), send });
  const stream = httpStreams(later, { url, caller: "tester", secrets, timeoutMs: 30_000, send });
  const outage = { kind: "Unavailable", what: "sums" };
  await expect(client.multiply({ a: 1, b: 2 })).rejects.toMatchObject(outage);
  await expect(stream.letters({ count: 1 })).rejects.toMatchObject(outage);
});

test("short streams of one moment come in one answer: what is long, broken or not there is asked for by itself", async () => {
  const { byItself, requests, close } = await serveStreams((listener) => listener);
  const stream = httpStreams(contract, { url: byItself, caller: "tester", secrets, timeoutMs: 30_000, send });
  const counts = [0, 3, 100_000, -1, 5];
  const read = await Promise.allSettled(
    counts.map(async (count) => (await buffer(await stream.digits({ count }, 10))).length),
  );
  expect(read.slice(0, 3)).toEqual([0, 3, 100_000].map((value) => ({ status: "fulfilled", value })));
  expect(read[3]).toMatchObject({ status: "rejected", reason: { kind: "NotFound" } });
  expect(read[4]).toEqual({ status: "fulfilled", value: 5 });
  expect(requests()).toBe(3);
  close();
});

test("a release that answers one stream at a time is asked for each by itself", async () => {
  const { byItself, close } = await serveStreams((listener) => (request, response) => {
    if (!request.url?.includes("%5B")) return listener(request, response);
    response.writeHead(500, { "content-type": "application/json" }).end("{}");
  });
  const stream = httpStreams(contract, { url: byItself, caller: "tester", secrets, timeoutMs: 30_000, send });
  const read = [1, 2].map(async (count) => (await buffer(await stream.digits({ count }, 10))).toString());
  expect(await Promise.all(read)).toEqual(["0", "01"]);
  close();
});

/** A server of its own for streams, and how many requests it got. */
async function serveStreams(around: (listener: RequestListener) => RequestListener) {
  let requests = 0;
  const listener = around(answerStream);
  const own = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  }).listen(0);
  await once(own, "listening");
  const byItself = `http://127.0.0.1:${(own.address() as AddressInfo).port}`;
  return { byItself, requests: () => requests, close: () => void own.close() };
}

test("a stream's URL is good for what it was signed for alone", async () => {
  const forged = await fetch(
    `${url}/streams/sums/digits?input=%7B%22count%22%3A3%7D&expires=9999999999999&signature=AAAA`,
  );
  expect(forged.status).toBe(403);
});
