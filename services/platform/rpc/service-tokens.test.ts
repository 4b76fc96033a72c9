import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { Refusal } from "../errors.ts";
import { Secrets } from "../security/secrets.ts";
import { SignedClaims } from "../security/signed-claims.ts";
import { httpClient } from "./client.ts";
import { sender } from "./send.ts";
import { ServiceTokens } from "./service-tokens.ts";
import { encodeError } from "./wire-errors.ts";

const secrets = new Secrets("a key");
const tokens = new ServiceTokens(secrets);
const contract = {
  service: "sums",
  procedures: {
    add: { kind: "query", input: z.object({ a: z.number(), b: z.number() }), output: z.object({ sum: z.number() }) },
  },
} as const;
const send = sender();
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

test("services beside each other take each other's calls at every step of a new SECRET_KEY in a fleet", () => {
  const takes = (called: Secrets, calling: Secrets) =>
    new ServiceTokens(called).check(`Bearer ${new ServiceTokens(calling).token("tester", "sums")}`, "sums");
  const steps = [["former"], ["former", "new"], ["new", "former"], ["new"]] as const;
  for (const [at, [key, previous]] of steps.entries()) {
    const [next, nextPrevious] = steps[at + 1] ?? [key, previous];
    const [before, after] = [new Secrets(key, previous), new Secrets(next, nextPrevious)];
    expect(() => takes(before, after)).not.toThrow();
    expect(() => takes(after, before)).not.toThrow();
  }
  // Without the first step.
  expect(() => takes(new Secrets("former"), new Secrets("new", "former"))).toThrow(forbidden);
});

test("each service signs with a key of its own: with one's no token of another's is made", () => {
  const claims = { sub: "auth", aud: "sums" };
  const own = new SignedClaims<typeof claims>(secrets, "rpc/auth", 60_000).sign(claims);
  const forged = new SignedClaims<typeof claims>(secrets, "rpc/tester", 60_000).sign(claims);
  expect(() => tokens.check(`Bearer ${own}`, "sums")).not.toThrow();
  expect(() => tokens.check(`Bearer ${forged}`, "sums")).toThrow(forbidden);
});

describe("beside release 0.1.0, whose tokens are of one key", () => {
  const former = new ServiceTokens(secrets, { acceptsFormer: true });
  const ofFormer = new SignedClaims<{ sub: string }>(secrets, "rpc", 60_000);
  const asked: string[] = [];
  /** As it refuses a token, and answers a call. */
  const peer = createServer((request, response) => {
    const bearer = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    asked.push(bearer);
    const isKnown = ofFormer.read(bearer) !== undefined;
    const refused = encodeError(new Refusal("Forbidden", { public: "Only services of this installation." }), "sums");
    response.writeHead(isKnown ? 200 : 403).end(JSON.stringify(isKnown ? { result: { data: { sum: 3 } } } : refused));
  }).listen(0);
  const client = (known: ServiceTokens) =>
    httpClient(contract, {
      url: `http://127.0.0.1:${(peer.address() as AddressInfo).port}`,
      timeoutMs: 30_000,
      token: () => known.token("tester", "sums"),
      formerToken: () => known.formerToken("tester"),
      send,
    });
  beforeAll(async () => void (peer.listening || (await once(peer, "listening"))));
  beforeEach(() => void asked.splice(0));
  afterAll(() => void peer.close());

  test("a peer is called with a token that it knows, after one that is good for it alone", async () => {
    expect(await client(former).add({ a: 1, b: 2 })).toEqual({ sum: 3 });
    expect(asked).toEqual([former.token("tester", "sums"), expect.stringMatching(/./)]);
  });

  test("no such token is made unless they are accepted", async () => {
    await expect(client(tokens).add({ a: 1, b: 2 })).rejects.toMatchObject({ kind: "Unavailable" });
    expect(asked).toEqual([tokens.token("tester", "sums")]);
  });

  test("its calls are answered where they are accepted, and nowhere else", () => {
    const authorization = `Bearer ${ofFormer.sign({ sub: "tester" })}`;
    expect(() => former.check(authorization, "sums")).not.toThrow();
    expect(() => tokens.check(authorization, "sums")).toThrow(forbidden);
    expect(() => former.check(`Bearer ${former.token("tester", "mailbox")}`, "sums")).toThrow(forbidden);
  });
});
