import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { silentLogger, type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { dayS } from "../durations.ts";
import { Outage } from "../errors.ts";
import { askForResend, listDeadEvents } from "../events/dead-events.ts";
import { newId } from "../ids.ts";
import { createMetrics } from "../telemetry/metrics.ts";
import type { DueRow, DueTable } from "./claim-due.ts";
import { DueWorker, dueAgain } from "./due-worker.ts";

interface Chore extends DueRow {
  id: string;
  name: string;
}

const chores: DueTable<Chore> = {
  name: "chore",
  key: { column: "md5(name)::uuid", of: ({ id }) => id },
  columns: "md5(name)::uuid as id, name",
  claimable: "name <> 'paused'",
};

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase({ schema: "due" });
  await db.query(
    "create table chore (name text primary key, due_at timestamptz not null default now(), attempt_count integer not null default 0)",
  );
});
afterAll(() => db.dispose());
beforeEach(async () => {
  await db.query("truncate chore, dead_event, inbox");
});

const metrics = createMetrics();
const { signal } = new AbortController();

function workerThat(process: (chore: Chore) => Promise<void>): DueWorker<Chore> {
  const limits = { intervalMs: 1_000, limit: 10, visibilityTimeoutS: 600, maxAttempts: 3 };
  return new DueWorker({ name: "chores", db, table: chores, ...limits, process, logger: silentLogger, metrics });
}

async function insert(...names: string[]): Promise<void> {
  await db.query("insert into chore (name) select unnest($1::text[])", [names]);
}

const finish = async ({ name }: Chore) => {
  await db.query("delete from chore where name = $1", [name]);
};

/** Each chore and its attempts; those that wait for their next attempt are made due. */
async function attempts(): Promise<Record<string, number>> {
  const { rows } = await db.query<{ name: string; attemptCount: number }>("select name, attempt_count from chore");
  await db.query("update chore set due_at = now() where due_at <> 'infinity'");
  return Object.fromEntries(rows.map(({ name, attemptCount }) => [name, attemptCount]));
}

test("what is due is processed, once; what may not be claimed is left", async () => {
  await insert("a", "b", "paused");
  const done: string[] = [];
  const worker = workerThat(async (chore) => {
    done.push(chore.name);
    await finish(chore);
  });
  expect(await worker.run(signal)).toBe(true);
  expect(await worker.run(signal)).toBe(false);
  expect(done.sort()).toEqual(["a", "b"]);
  expect(await attempts()).toEqual({ paused: 0 });
});

test("a row that always fails holds up none of its batch: it is parked, counted, listed, and processed again when asked for", async () => {
  await insert("poison", "a", "b");
  let isPoison = true;
  const process = async (chore: Chore) => {
    if (chore.name === "poison" && isPoison) throw new Error("this chore is poison");
    await finish(chore);
  };
  await workerThat(process).run(signal);
  expect(await attempts()).toEqual({ poison: 1 });
  await workerThat(process).run(signal);
  expect(await attempts()).toEqual({ poison: 2 });
  await workerThat(process).run(signal);
  expect(await workerThat(process).run(signal)).toBe(false);
  const [dead] = await listDeadEvents(db);
  expect(dead).toMatchObject({ consumer: "due.chore", topic: "job" });
  expect(dead?.error).toContain("this chore is poison");
  expect(await metrics.expose("prometheus")).toContain('postern_dead_events_total{consumer="due.chore"} 1');
  isPoison = false;
  await askForResend(db, [dead?.id ?? ""]);
  await workerThat(process).run(signal);
  expect(await attempts()).toEqual({});
  expect(await listDeadEvents(db)).toEqual([]);
});

test("a row that ends the process in each attempt is parked before it does so again", async () => {
  await insert("killer");
  // As after processes that claimed it and died.
  await db.query("update chore set attempt_count = 3");
  await workerThat(() => Promise.reject(new Error("must not be processed"))).run(signal);
  const [dead] = await listDeadEvents(db);
  expect(dead?.error).toContain("the process ended in each of 3 attempts");
});

test("an outage is waited out and never counted", async () => {
  await insert("a");
  for (let round = 0; round < 5; round++) {
    await workerThat(() => Promise.reject(new Outage("bindings"))).run(signal);
    expect(await attempts()).toEqual({ a: 0 });
  }
  await workerThat(finish).run(signal);
  expect(await attempts()).toEqual({});
});

test("a row can be due again later, its failed attempts forgotten", async () => {
  await insert("weekly");
  await db.query("update chore set attempt_count = 1");
  await workerThat((chore) => dueAgain(db, chores, chore, 7 * dayS)).run(signal);
  const { rows } = await db.query<{ days: number }>(
    "select attempt_count, round(extract(epoch from due_at - now()) / 86400)::int as days from chore",
  );
  expect(rows).toEqual([{ attemptCount: 0, days: 7 }]);
});

test("a row that is gone when its attempt fails is not parked", async () => {
  const id = newId();
  await insert(id);
  await db.query("update chore set attempt_count = 2");
  await workerThat(async (chore) => {
    await finish(chore);
    throw new Error("failed after it was removed");
  }).run(signal);
  expect(await listDeadEvents(db)).toEqual([]);
});
