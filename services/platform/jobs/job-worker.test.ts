import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import { silentLogger, type TestDatabase, testDatabase } from "../../../test/support/peers/database.ts";
import { Outage } from "../errors.ts";
import { askForResend, listDeadEvents } from "../events/dead-events.ts";
import { newId } from "../ids.ts";
import { createMetrics } from "../telemetry/metrics.ts";
import { JobWorker, type Lease } from "./job-worker.ts";
import { createTestJobTable, insertTestJobs, type TestJob, testJobs, testJobTable } from "./test-support/test-jobs.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase({ schema: "leases" });
  await createTestJobTable(db);
});
afterAll(() => db.dispose());
beforeEach(async () => {
  await db.query("truncate test_job, job_worker, dead_event, inbox");
});

const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

/** A worker whose jobs stay in flight until it is told to finish. */
class BlockingWorker {
  readonly id = newId();
  readonly begun: TestJob[] = [];
  readonly worker: JobWorker<TestJob, TestJob>;
  /** Thrown by the next preparations, one each. */
  readonly outages: Error[] = [];
  readonly metrics = createMetrics();
  /** Jobs at this place cannot be recorded. */
  poison = "";
  /** Nothing is recorded before. */
  recordable: Promise<void> = Promise.resolve();
  readonly #free = Promise.withResolvers<void>();

  constructor(table = testJobTable) {
    this.worker = new JobWorker<TestJob, TestJob>({
      name: "test-jobs",
      table,
      db,
      workerId: this.id,
      prepare: async () => {
        const outage = this.outages.shift();
        if (outage) throw outage;
        return async (testJob) => {
          this.begun.push(testJob);
          await this.#free.promise;
          return testJob;
        };
      },
      record: async (done) => {
        await this.recordable;
        if (done.some(({ place }) => place === this.poison)) throw new Error("this place is poison");
        const ids = done.map(({ id }) => id);
        await db.query("update test_job set state = 'done', worker_id = null where id = any ($1::uuid[])", [ids]);
      },
      onRecorded: () => undefined,
      logger: silentLogger,
      metrics: this.metrics,
    });
    ending.push(async () => {
      this.finish();
      await this.worker.stop();
    });
  }

  finish(): void {
    this.#free.resolve();
  }

  insert(rows: readonly TestJob[]): Promise<void> {
    return db.tx((tx) => this.worker.insert(tx, rows, (leased) => insertRows(leased)));
  }
}

const insertRows = (rows: readonly (TestJob & Partial<Lease>)[]) => insertTestJobs(db, rows);
const places = (rows: readonly TestJob[]) => rows.map(({ place }) => place).sort();

async function held(): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from test_job where worker_id is not null",
  );
  return rows[0]?.count ?? 0;
}

test("new jobs are begun at once, before another worker could claim them", async () => {
  const worker = new BlockingWorker();
  await worker.insert(testJobs("a", "b"));
  // It was never started, so it claims nothing.
  await eventually(async () => expect(places(worker.begun)).toEqual(["a", "b"]));
  expect(await held()).toBe(2);
});

test("jobs that were there before are not begun again", async () => {
  const worker = new BlockingWorker();
  const [first, second] = [testJobs("a"), testJobs("b")];
  await insertRows(first);
  await worker.insert([...first, ...second]);
  await eventually(async () => expect(places(worker.begun)).toEqual(["b"]));
});

test("no job of a transaction that fails is begun", async () => {
  const worker = new BlockingWorker();
  const failing = db.tx(async (tx) => {
    await worker.worker.insert(tx, testJobs("a"), async () => []);
    throw new Error("the transaction fails");
  });
  await expect(failing).rejects.toThrow("the transaction fails");
  expect([worker.begun, worker.worker.inFlightCount]).toEqual([[], 0]);
});

test("jobs over the limit of a place or of all are given back, and done when there is room", async () => {
  const worker = new BlockingWorker();
  await worker.insert(testJobs("a", "a", "a", "b", "c", "d"));
  await eventually(async () => {
    expect(places(worker.begun)).toEqual(["a", "a", "b"]);
    expect(await held()).toBe(3);
  });
  worker.finish();
  worker.worker.start();
  await eventually(async () => expect(places(worker.begun)).toEqual(["a", "a", "a", "b", "c", "d"]));
});

test("jobs that take long at one place, more than half of all that are done at once, hold up no others", async () => {
  const limits = testJobTable.concurrencyLimits.map((each) => ({ ...each, limit: 3 }));
  const worker = new BlockingWorker({ ...testJobTable, concurrencyLimits: limits });
  await insertRows(testJobs("slow", "slow", "slow"));
  worker.worker.start();
  await eventually(async () => expect(worker.begun).toHaveLength(3));
  await insertRows(testJobs("other"));
  await eventually(async () => expect(places(worker.begun)).toEqual(["other", "slow", "slow", "slow"]));
});

test("jobs that were run take no room while their results are recorded, up to four times the limit, and are not run again", async () => {
  const worker = new BlockingWorker({ ...testJobTable, leaseS: 1 });
  const recorded = Promise.withResolvers<void>();
  worker.recordable = recorded.promise;
  worker.finish();
  await insertRows(testJobs(..."abcdefghijklmnopqrst"));
  worker.worker.start();
  await eventually(async () => expect(worker.begun).toHaveLength(4 * testJobTable.limit));
  // Meanwhile their leases end.
  await delay(1_500);
  expect(worker.begun).toHaveLength(4 * testJobTable.limit);
  recorded.resolve();
  await eventually(async () => expect(places(worker.begun)).toEqual([..."abcdefghijklmnopqrst"]));
});

test("an outage of what is needed first releases new jobs, and they are done later", async () => {
  const worker = new BlockingWorker();
  worker.outages.push(new Outage("auth"));
  await worker.insert(testJobs("a"));
  await eventually(async () => expect([await held(), worker.worker.inFlightCount]).toEqual([0, 0]));
  worker.worker.start();
  await eventually(async () => expect(places(worker.begun)).toEqual(["a"]));
});

test("once it stops, new jobs are left to other workers", async () => {
  const worker = new BlockingWorker();
  worker.worker.start();
  await worker.worker.stop();
  await worker.insert(testJobs("a"));
  expect([await held(), worker.begun]).toEqual([0, []]);
});

test("waiting jobs go before new ones", async () => {
  const worker = new BlockingWorker();
  await insertRows(testJobs("a", "b", "c", "d", "e"));
  worker.worker.start();
  await eventually(async () => expect(worker.begun).toHaveLength(4));
  const [late] = testJobs("late");
  await worker.insert(late ? [late] : []);
  worker.finish();
  await eventually(async () => expect(worker.begun).toHaveLength(6));
  expect(places(worker.begun.slice(0, 5))).toEqual(["a", "b", "c", "d", "e"]);
});

test("a result that always fails holds up none of its batch: its job is parked, counted, listed, and done again when asked for", async () => {
  const worker = new BlockingWorker({ ...testJobTable, leaseS: 3 });
  worker.poison = "poison";
  const [poison, ...others] = testJobs("poison", "a", "b");
  await worker.insert([...(poison ? [poison] : []), ...others]);
  worker.finish();
  await eventually(async () => expect(await states()).toEqual({ a: "done", b: "done", poison: "waiting" }));
  const dead = await eventually(async () => {
    const [found] = await listDeadEvents(db);
    expect(found).toMatchObject({
      consumer: "leases.test_job",
      topic: "job",
      eventId: poison?.id,
      resendAskedAt: null,
    });
    expect(found?.error).toContain("this place is poison");
    return found;
  });
  expect(await worker.metrics.expose("prometheus")).toContain(
    'postern_dead_events_total{consumer="leases.test_job"} 1',
  );
  worker.worker.start();
  // Nobody claims it while it is parked, its lease of 3 s over or not: what is inserted later is done before.
  await insertRows(testJobs("late"));
  await eventually(async () => expect(places(worker.begun)).toEqual(["a", "b", "late", "poison"]));
  worker.poison = "";
  await askForResend(db, [dead?.id ?? ""]);
  await eventually(async () => expect(await states()).toMatchObject({ poison: "done" }));
  expect(await listDeadEvents(db)).toEqual([]);
});

test("the jobs of a process that was killed go on at once, those of one that lives are left to it", async () => {
  const [orphan] = testJobs("orphan");
  await insertRows(orphan ? [orphan] : []);
  const killedId = newId();
  const script = new URL("./test-support/worker-process.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, db.url, db.schema, killedId]);
  await eventually(async () => expect(await holders()).toEqual({ orphan: killedId }));
  const living = new BlockingWorker();
  living.worker.start();
  const [kept] = testJobs("kept");
  await living.insert(kept ? [kept] : []);
  const registered = async () => (await db.query<{ id: string }>("select id from job_worker")).rows.map(({ id }) => id);
  await eventually(async () => expect((await registered()).sort()).toEqual([killedId, living.id].sort()));

  child.kill("SIGKILL");
  const other = new BlockingWorker();
  other.worker.start();
  // By either of those that live; the leases are good for an hour.
  await eventually(async () => {
    const { orphan: holder, kept: keeper } = await holders();
    expect([living.id, other.id]).toContain(holder);
    expect(keeper).toBe(living.id);
  });
  expect(await registered()).not.toContain(killedId);
  expect(places([...living.begun, ...other.begun])).toEqual(["kept", "orphan"]);
});

async function states(): Promise<Record<string, string>> {
  const { rows } = await db.query<{ place: string; state: string }>("select place, state from test_job");
  return Object.fromEntries(rows.map(({ place, state }) => [place, state]));
}

async function holders(): Promise<Record<string, string | null>> {
  const { rows } = await db.query<{ place: string; workerId: string | null }>("select place, worker_id from test_job");
  return Object.fromEntries(rows.map(({ place, workerId }) => [place, workerId]));
}
