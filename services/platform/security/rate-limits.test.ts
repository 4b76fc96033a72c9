import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type RedisServer, startRedis } from "../../../scripts/peers/redis.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { silentLogger } from "../../../test/support/peers/database.ts";
import { peerInstallLimitMs } from "../../../test/support/run/peer-install-limit.ts";
import { newId } from "../ids.ts";
import { createLogger, observeLines } from "../telemetry/logger.ts";
import { createLimits, type Limits } from "./rate-limits.ts";

let redis: RedisServer;
let limits: Limits;
let name: string;

beforeAll(async () => {
  redis = await startRedis();
}, peerInstallLimitMs);

afterAll(() => redis.stop());

beforeEach(() => {
  name = `test-${newId()}`;
});

const allowed = { isAllowed: true, retryAfterS: 0 };
const refused = { isAllowed: false, retryAfterS: expect.any(Number) };

describe.each(["in Redis", "in the process"])("%s", (where) => {
  beforeAll(async () => {
    limits = await createLimits(where === "in Redis" ? redis.url : undefined, silentLogger);
    await limits.ping();
  });

  afterAll(() => limits.close());

  test("there is room for as many as are allowed, for each key by itself", async () => {
    const limit = limits.limit({ name, points: 2, windowS: 60 });
    expect(await limit.consume("a")).toEqual(allowed);
    expect(await limit.consume("a")).toEqual(allowed);
    expect(await limit.consume("a")).toEqual(refused);
    expect(await limit.consume("b", 2)).toEqual(allowed);
    expect(await limit.consume("b")).toEqual(refused);
  });

  test("places are taken, renewed by their holder, left, and lost by who does not renew them", async () => {
    const limit = limits.concurrent({ name, places: 2, leaseMs: 60_000 });
    expect([await limit.enter("a", "1"), await limit.enter("a", "2")]).toEqual([true, true]);
    expect([await limit.enter("a", "3"), await limit.enter("a", "1"), await limit.enter("b", "3")]).toEqual([
      ...[false, true, true],
    ]);
    await limit.leave("a", "1");
    expect(await limit.enter("a", "3")).toBe(true);
    const brief = limits.concurrent({ name: `${name}-brief`, places: 1, leaseMs: 50 });
    await brief.enter("a", "of a process that died");
    await eventually(async () => expect(await brief.enter("a", "next")).toBe(true));
  });

  test("looking takes nothing, and sees when there is no room for one more", async () => {
    const limit = limits.limit({ name, points: 1, windowS: 60 });
    for (let look = 0; look < 3; look++) expect(await limit.check("a")).toEqual(allowed);
    await limit.consume("a");
    expect(await limit.check("a")).toEqual(refused);
    await limit.reset("a");
    expect(await limit.check("a")).toEqual(allowed);
  });
});

test("replicas share counters and places in Redis; while it is gone each counts for itself", async () => {
  const [here, there] = [await createLimits(redis.url, silentLogger), await createLimits(redis.url, silentLogger)];
  await Promise.all([here.ping(), there.ping()]);
  const shared = { name: `${name}-places`, places: 1, leaseMs: 60_000 };
  expect(await here.concurrent(shared).enter("a", "1")).toBe(true);
  expect(await there.concurrent(shared).enter("a", "2")).toBe(false);
  const options = { name, points: 1, windowS: 60 };
  expect(await here.limit(options).consume("a")).toEqual(allowed);
  expect(await there.limit(options).consume("a")).toEqual(refused);

  await redis.stop();
  await expect(here.ping()).rejects.toMatchObject({ kind: "Unavailable", what: "Redis" });
  const [alone, alsoAlone] = [here.limit(options), there.limit(options)];
  expect(await alone.consume("a")).toEqual(allowed);
  expect(await alone.check("a")).toEqual(refused);
  expect(await alsoAlone.consume("a")).toEqual(allowed);
  await Promise.all([here.close(), there.close()]);
  await redis.start();
});

test("a password that Redis refuses is told of in a line, which does not have it, and so is that it was taken", async () => {
  const own = await startRedis();
  const command = async (...words: string[]) =>
    promisify(execFile)("redis-cli", ["-u", own.url, "--no-auth-warning", ...words]);
  await command("config", "set", "requirepass", "right");
  const lines: string[] = [];
  observeLines((line) => lines.push(line));
  const url = own.url.replace("redis://", "redis://:not-so-secret@");
  const limited = await createLimits(url, createLogger({ LOG_LEVEL: "info", LOG_FORMAT: "json" }));
  await eventually(async () => expect(lines).not.toEqual([]));
  expect(lines.join("")).not.toContain("not-so-secret");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    msg: "Redis unavailable, using per-process rate limits",
    err: { type: "Outage", message: expect.stringMatching(/^REDIS_URL: 127\.0\.0\.1:\d+: WRONGPASS /) },
  });
  await command("-a", "right", "config", "set", "requirepass", "not-so-secret");
  await eventually(() => limited.ping());
  await limited.close();
  observeLines(undefined);
  await own.stop();
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    "Redis unavailable, using per-process rate limits",
    "Redis reachable again, using shared rate limits",
  ]);
});
