import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createExpressMiddleware } from "@trpc/server/adapters/express";
import express from "express";
import { z } from "zod";
import { Outage, Refusal } from "../errors.ts";
import { Secrets } from "../security/secrets.ts";
import { SignedClaims } from "../security/signed-claims.ts";
import { createLogger } from "../telemetry/logger.ts";
import { httpClient, inProcessClient } from "./client.ts";
import { createRouter } from "./router.ts";
import { serving } from "./serving.ts";
import { httpStreams, inProcessStreams, streamRoutes } from "./streams.ts";
import { ServiceTokens } from "./token.ts";

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
    return Readable.from([Buffer.from("0123456789".slice(0, count))]);
  },
};

const app = express();
const serve = serving(contract, implementation, logger);
const router = createRouter(contract, serve);
app.use("/rpc/sums", createExpressMiddleware({ router, allowMethodOverride: true }));
app.use(streamRoutes(contract, streams, secrets));
const server = app.listen(0);
let url = "";

beforeAll(async () => {
  if (!server.listening) await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const tokens = new ServiceTokens(secrets);
const ways = {
  "in one process": () => ({
    client: inProcessClient(contract, () => serve),
    stream: inProcessStreams(contract, () => streams),
  }),
  "over HTTP": () => ({
    client: httpClient(contract, { url, timeoutMs: 30_000, token: () => tokens.token("tester", "sums") }),
    stream: httpStreams(contract, { url, caller: "tester", secrets, timeoutMs: 30_000 }),
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
  });
  await expect(gone.add({ a: 1, b: 1 })).rejects.toMatchObject({ kind: "Unavailable", what: "sums" });
  const options = { url: "http://127.0.0.1:9", caller: "tester", secrets, timeoutMs: 1_000 };
  const digits = httpStreams(contract, options).digits({ count: 1 });
  await expect(digits).rejects.toMatchObject({ kind: "Unavailable", what: "sums" });
});

test("a stream's URL is good for what it was signed for alone", async () => {
  const forged = await fetch(
    `${url}/streams/sums/digits?input=%7B%22count%22%3A3%7D&expires=9999999999999&signature=AAAA`,
  );
  expect(forged.status).toBe(403);
});

const forbidden = expect.objectContaining({ kind: "Forbidden" });

test("a service token is good within one installation alone", async () => {
  expect(() => tokens.check(`Bearer ${tokens.token("tester", "sums")}`, "sums")).not.toThrow();
  const other = new ServiceTokens(new Secrets("another key")).token("tester", "sums");
  for (const authorization of [`Bearer ${other}`, "Bearer x", "Bearer ..", "Bearer .e30.", "", undefined])
    expect(() => tokens.check(authorization, "sums")).toThrow(forbidden);
});

test("a service token is good for the service that it was made for alone", () => {
  expect(() => tokens.check(`Bearer ${tokens.token("tester", "mailbox")}`, "sums")).toThrow(forbidden);
});

test("each service signs with a key of its own: with one's no token of another's is made", () => {
  const claims = { sub: "auth", aud: "sums" };
  const own = new SignedClaims<typeof claims>(secrets, "rpc/auth", 60_000).sign(claims);
  const forged = new SignedClaims<typeof claims>(secrets, "rpc/tester", 60_000).sign(claims);
  expect(() => tokens.check(`Bearer ${own}`, "sums")).not.toThrow();
  expect(() => tokens.check(`Bearer ${forged}`, "sums")).toThrow(forbidden);
});
