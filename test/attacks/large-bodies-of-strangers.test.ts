import { type ClientRequest, request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { type Installation, startInstallation } from "../support/installation/installation.ts";

// Who has no credentials may send a body of 1 MiB all the same. How many of these are in memory at once is bounded, for each network
// and in all, and what is over the bound keeps nobody from signing in.

let installation: Installation;
beforeAll(async () => {
  // What is refused here is not refused as a guess.
  const limits = { LIMIT_SIGN_IN_PER_ADDRESS: "1000", LIMIT_SIGN_IN_PER_ACCOUNT: "1000" };
  installation = await startInstallation({
    environment: { TRUSTED_PROXY_HOPS: "1", LIMIT_SIGN_IN_STRANGERS_PER_ACCOUNT: "1000", ...limits },
  });
}, 180_000);
afterAll(() => installation?.dispose());

const mebibyte = 1024 * 1024;
const attributes = { username: "nobody@example.org", password: "a guess" };
const small = Buffer.from(JSON.stringify({ data: { type: "auth-request", attributes } }));
const large = Buffer.concat([small, Buffer.alloc(mebibyte - small.length, " ")]);
const coded = gzipSync(large);
/** A kilobyte that takes 0.2 s to parse. */
const nested = gzipSync(`{"data":{"type":"auth-request","attributes":${"[".repeat(500_000)}${"]".repeat(500_000)}}}`);

const clientOf = (network: number) => ({ "x-forwarded-for": `198.51.${network}.1` });

async function signIn(network: number, body: Buffer<ArrayBuffer>): Promise<number> {
  const coding = body === coded || body === nested ? { "content-encoding": "gzip" } : undefined;
  const headers = { ...clientOf(network), ...coding };
  const answer = await fetch(`${installation.url}/api/v1/auth`, { method: "POST", headers, body });
  await answer.text();
  return answer.status;
}

/** Sends a body but for its last byte, so that what was read stays in memory. */
function hold(network: number, path = "/api/v1/auth"): ClientRequest {
  const { port, hostname } = new URL(installation.url);
  const headers = { ...clientOf(network), authorization: "Bearer made-up", "content-length": large.length };
  const held = request({ hostname, port, path, method: "POST", headers, agent: false });
  held.write(large.subarray(0, -1));
  return held;
}

/** Sends what was left of them. */
function statusesOf(held: readonly ClientRequest[]): Promise<number[]> {
  const statuses = held.map((each) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    each.once("error", reject).once("response", (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    });
    each.end(large.subarray(-1));
    return promise;
  });
  return Promise.all(statuses);
}

/** Holds as many bodies as are taken, and one after the other until whole ones are refused. Of these a network has twenty in a minute, so few are tried. */
async function flood(
  holdOne: (at: number) => ClientRequest,
  { network, status, most }: { network: number; status: number; most: number },
): Promise<ClientRequest[]> {
  const held = Array.from({ length: most }, (_, at) => holdOne(at));
  await eventually(
    async () => {
      held.push(holdOne(held.length));
      expect(await signIn(network, large)).toBe(status);
      expect(await signIn(network, coded)).toBe(status);
    },
    { restMs: 500 },
  );
  return held;
}

/** A whole one that was read meanwhile may have kept another out. */
function expectTaken(
  statuses: readonly number[],
  { wrong, refused, most }: { wrong: number; refused: number; most: number },
): void {
  expect(statuses.filter((status) => status !== wrong && status !== refused)).toEqual([]);
  const taken = statuses.filter((status) => status === wrong).length;
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeLessThanOrEqual(most);
}

test.each([
  ["sign-ins", "/api/v1/auth", 401, 1],
  ["requests with a made-up bearer token", "/api/v1/2fa", 422, 3],
])(
  "of the large %s of one network four are taken at once at most; small ones, and those of others, all the while",
  async (_name, path, wrong, network) => {
    const held = await flood(() => hold(network, path), { network, status: 429, most: 4 });
    expect(await signIn(network, small)).toBe(401);
    expect(await signIn(network + 1, large)).toBe(401);
    expect(await signIn(network + 1, coded)).toBe(401);
    expectTaken(await statusesOf(held), { wrong, refused: 429, most: 4 });
    expect(await signIn(network, large)).toBe(401);
  },
);

test("of the large ones of many networks seventeen are taken at once at most", async () => {
  const held = await flood((at) => hold(at), { network: 200, status: 503, most: 17 });
  expect(await signIn(200, small)).toBe(401);
  expectTaken(await statusesOf(held), { wrong: 401, refused: 503, most: 17 });
  expect(await signIn(205, large)).toBe(401);
});

test("of those that are long to parse a network has twenty in a minute; small ones of it are answered all the while", async () => {
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 40) statuses.push(await signIn(210, nested));
  expect(statuses.length).toBeGreaterThan(20);
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(422));
  expect(statuses.at(-1)).toBe(429);
  expect(await signIn(210, small)).toBe(401);
  expect(await signIn(211, large)).toBe(401);
});
