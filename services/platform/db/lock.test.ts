import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import { asSuperuser, silentLogger, type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { Outage } from "../errors.ts";
import { openDatabase } from "./database.ts";
import { SharedDatabaseSession } from "./shared-session.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ schema: "bindings" });
});
afterAll(() => database.dispose());

const pollMs = 10;

test("only one at a time holds a lock, and the next gets it when it is let go", async () => {
  let holders = 0;
  const run = async () => {
    expect(++holders).toBe(1);
    await database.query("select pg_sleep(0.02)");
    return holders--;
  };
  const results = await Promise.all([1, 2, 3].map(() => database.withLock("leader", run, { pollMs })));
  expect(results).toEqual([1, 1, 1]);
});

test("locks of different names do not wait for each other", async () => {
  const inner = await database.withLock("one", () => database.withLock("two", async () => "both", { pollMs }));
  expect(inner).toBe("both");
});

/** How many connections of this name hold locks or listen. */
async function sessionCount(applicationName = "postern"): Promise<number | undefined> {
  const sql = `select count(*)::integer as count from pg_stat_activity
               where datname = current_database() and query ~ '(advisory|listen)' and pid <> pg_backend_pid()
                 and application_name = '${applicationName}'`;
  return (await asSuperuser<{ count: number }>(database.adminUrl, sql))[0]?.count;
}

test("locks and channels of one database share a connection, which ends with the last of them", async () => {
  const endListening = await database.listen("channel", () => undefined);
  const count = await database.withLock("one", () => database.withLock("two", () => sessionCount(), { pollMs }), {
    pollMs,
  });
  expect(count).toBe(1);
  const told: unknown[] = [];
  const endSecond = await database.listen("other", (payload) => told.push(payload));
  await database.query("select pg_notify('other', 'after the locks')");
  await eventually(() => expect(told).toEqual(["after the locks"]));
  await Promise.all([endListening(), endSecond()]);
});

test("databases may share a connection for locks and channels, without sharing either", async () => {
  const { url } = database;
  const shared = {
    url,
    logger: silentLogger,
    sharedSession: new SharedDatabaseSession({ url, applicationName: "shared" }),
  };
  const one = openDatabase({ ...shared, schema: "one" });
  const other = openDatabase({ ...shared, schema: "other" });
  const count = () => sessionCount("shared");
  const told: unknown[] = [];
  await one.listen("of one", () => told.push("one"));
  await other.listen("of the other", (payload) => told.push(payload));
  expect(await one.withLock("leader", () => other.withLock("leader", count, { pollMs }), { pollMs })).toBe(1);
  await one.close();
  expect(await other.withLock("leader", count, { pollMs })).toBe(1);
  await database.query("select pg_notify('of the other', 'still heard')");
  await eventually(() => expect(told).toEqual(["still heard"]));
  await other.close();
  await eventually(async () => expect(await count()).toBe(0));
});

test("a lock that is let go is free for another session, though the connection stays", async () => {
  const other = openDatabase({ url: database.url, schema: "bindings", logger: silentLogger });
  await database.withLock("one", async () => {
    await database.withLock("two", async () => undefined, { pollMs });
    const stopping = AbortSignal.timeout(5_000);
    expect(await other.withLock("two", async () => "free", { pollMs, signal: stopping })).toBe("free");
    expect(
      await other.withLock("one", async () => "free", { pollMs, signal: AbortSignal.timeout(50) }),
    ).toBeUndefined();
  });
  await other.close();
});

test("who is told to stop while waiting does not run", async () => {
  const stopping = new AbortController();
  await database.withLock("leader", async () => {
    const waiting = database.withLock("leader", async () => "ran", { pollMs, signal: stopping.signal });
    stopping.abort();
    expect(await waiting).toBeUndefined();
  });
});

test("who is told to stop while holding it hears it", async () => {
  const stopping = new AbortController();
  const held = database.withLock(
    "leader",
    async (signal) => {
      stopping.abort();
      return signal.aborted;
    },
    { signal: stopping.signal },
  );
  expect(await held).toBe(true);
});

test("who loses the connection hears it, and what was done counts for nothing", async () => {
  const held = database.withLock("leader", async (signal) => {
    const lost = once(signal, "abort");
    const sql = `select pg_terminate_backend(pid) from pg_locks join pg_database on database = pg_database.oid
                 where locktype = 'advisory' and datname = current_database()`;
    await asSuperuser(database.adminUrl, sql);
    if (!signal.aborted) await lost;
    return "done";
  });
  await expect(held).rejects.toBeInstanceOf(Outage);
  expect(await database.withLock("leader", async () => "next", { pollMs })).toBe("next");
});

test("what fails under a lock comes out as it was, and lets it go", async () => {
  const fault = new Error("mine");
  const failing = async () => {
    throw fault;
  };
  await expect(database.withLock("leader", failing)).rejects.toBe(fault);
  expect(await database.withLock("leader", async () => "free", { pollMs })).toBe("free");
});

test("no database is an outage", async () => {
  const nobody = openDatabase({ url: "postgres://a:b@127.0.0.1:1/x", schema: "x", logger: silentLogger });
  await expect(nobody.withLock("leader", async () => 1)).rejects.toBeInstanceOf(Outage);
  await nobody.close();
});
