import { setImmediate } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import type pg from "pg";
import { type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { GrowingPool } from "./growing-pool.ts";

/** Longer than any test takes, and none to speak of. */
const forEverMs = 600_000;
const noneMs = 1;

let database: TestDatabase;
const pools: GrowingPool[] = [];
beforeAll(async () => {
  database = await testDatabase({ schema: "bindings" });
});
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.end())));
afterAll(() => database.dispose());

function open(patienceMs: number): GrowingPool {
  const pool = new GrowingPool({ connectionString: database.url, max: 3 }, patienceMs);
  pools.push(pool);
  return pool;
}

async function backendOf(on: pg.Pool | pg.PoolClient): Promise<number | undefined> {
  const { rows } = await on.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid;
}

test("statements of one moment go over one connection, one after the other, and those that come meanwhile do", async () => {
  const pool = open(forEverMs);
  const first = Array.from({ length: 20 }, () => backendOf(pool));
  await first[3];
  const pids = await Promise.all([...first, ...Array.from({ length: 20 }, () => backendOf(pool))]);
  expect(new Set(pids).size).toBe(1);
  expect(pool.totalCount).toBe(1);
});

test("who has waited long enough gets a connection of its own, until there are as many as may be", async () => {
  const pool = open(noneMs);
  const held = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
  expect(new Set(await Promise.all(held.map(backendOf))).size).toBe(3);
  const further = [1, 2, 3].map(() => backendOf(pool));
  const free = await backendOf(held[1] as pg.PoolClient);
  held[1]?.release();
  expect(await Promise.all(further)).toEqual([free, free, free]);
  expect(pool.totalCount).toBe(3);
  held[0]?.release();
  held[2]?.release();
});

test("an answer that came while this process was busy frees its connection before another is opened", async () => {
  const pool = open(50);
  const held = await pool.connect();
  const answered = backendOf(held).then(() => held.release());
  const waiting = backendOf(pool);
  await setImmediate();
  for (const until = performance.now() + 200; performance.now() < until; );
  await Promise.all([answered, waiting]);
  expect(pool.totalCount).toBe(1);
});

test("a connection that is given back goes to who has waited longest", async () => {
  const pool = open(forEverMs);
  const held = await pool.connect();
  const served: string[] = [];
  const serve = async (name: string) => {
    const client = await pool.connect();
    served.push(name);
    client.release();
  };
  const waiting = ["first", "second", "third"].map(serve);
  held.release();
  await Promise.all([...waiting, serve("fourth")]);
  expect(served).toEqual(["first", "second", "third", "fourth"]);
});

test("a connection that is lost holds nobody up, and what cannot be opened is an error of each who waits", async () => {
  const pool = open(noneMs);
  pool.on("error", () => undefined);
  const lost = pool.query("select pg_terminate_backend(pg_backend_pid())");
  const behind = backendOf(pool);
  await expect(lost).rejects.toThrow();
  expect(await behind).toEqual(expect.any(Number));
  const nowhere = new GrowingPool({ host: "127.0.0.1", port: 1, max: 3 }, noneMs);
  pools.push(nowhere);
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map(() => nowhere.connect()));
  expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => "rejected"));
});
