import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { silentLogger, type TestDatabase, testDatabase } from "../../../test/support/database.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { recordSet } from "../db/record-set.ts";
import { Outage } from "../errors.ts";
import { newId } from "../ids.ts";
import { JobClaims, type JobTable } from "./job-claims.ts";
import { JobWorker, type Lease } from "./job-worker.ts";

interface Errand {
  id: string;
  place: string;
}

const table: JobTable<Errand> = {
  name: "errand",
  key: { column: "id", of: ({ id }) => id },
  columns: "id, place",
  lanes: [{ column: "place", of: ({ place }) => place, limit: 2 }],
  limit: 4,
  leaseS: 60,
};

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase({ schema: "leases" });
  await db.query(`create table errand (id uuid primary key, place text not null, state text not null default 'waiting',
    due_at timestamptz not null default now(), worker_id uuid, lease_until timestamptz)`);
});
afterAll(() => db.dispose());
beforeEach(async () => {
  await db.query("truncate errand");
});

const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

const errands = (...places: string[]): Errand[] => places.map((place) => ({ id: newId(), place }));

/** A worker whose jobs stay in flight until it is told to finish. */
class BlockingWorker {
  readonly begun: Errand[] = [];
  readonly worker: JobWorker<Errand, Errand>;
  /** Thrown by the next preparations, one each. */
  readonly outages: Error[] = [];
  readonly #free = Promise.withResolvers<void>();

  constructor() {
    this.worker = new JobWorker<Errand, Errand>({
      name: "errands",
      table,
      claims: new JobClaims(db, table, newId()),
      prepare: async () => {
        const outage = this.outages.shift();
        if (outage) throw outage;
        return async (errand) => {
          this.begun.push(errand);
          await this.#free.promise;
          return errand;
        };
      },
      record: async (done) => {
        const ids = done.map(({ id }) => id);
        await db.query("update errand set state = 'done', worker_id = null where id = any ($1::uuid[])", [ids]);
      },
      onRecorded: () => undefined,
      logger: silentLogger,
    });
    ending.push(async () => {
      this.finish();
      await this.worker.stop();
    });
  }

  finish(): void {
    this.#free.resolve();
  }

  insert(rows: readonly Errand[]): Promise<void> {
    return db.tx((tx) => this.worker.insert(tx, rows, (leased) => insertRows(leased)));
  }
}

const newErrands = recordSet({ id: "uuid", place: "text", workerId: "uuid", leaseS: "float8" });

async function insertRows(rows: readonly (Errand & Partial<Lease>)[]): Promise<string[]> {
  const { rows: inserted } = await db.query<{ id: string; workerId: string | null }>(
    `insert into errand (id, place, worker_id, lease_until)
     select id, place, worker_id, now() + lease_s * interval '1 second' from ${newErrands.from("errand")}
     on conflict (id) do nothing returning id, worker_id`,
    newErrands.params(rows.map((row) => ({ workerId: null, leaseS: null, ...row }))),
  );
  return inserted.flatMap(({ id, workerId }) => (workerId === null ? [] : [id]));
}

const places = (rows: readonly Errand[]) => rows.map(({ place }) => place).sort();

async function held(): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from errand where worker_id is not null",
  );
  return rows[0]?.count ?? 0;
}

test("what comes new is begun with at once, before anybody could claim it", async () => {
  const worker = new BlockingWorker();
  await worker.insert(errands("a", "b"));
  // It was never started, so it claims nothing.
  await eventually(async () => expect(places(worker.begun)).toEqual(["a", "b"]));
  expect(await held()).toBe(2);
});

test("what was there before is not begun with again", async () => {
  const worker = new BlockingWorker();
  const [first, second] = [errands("a"), errands("b")];
  await insertRows(first);
  await worker.insert([...first, ...second]);
  await eventually(async () => expect(places(worker.begun)).toEqual(["b"]));
});

test("nothing of a transaction that fails is begun with", async () => {
  const worker = new BlockingWorker();
  const failing = db.tx(async (tx) => {
    await worker.worker.insert(tx, errands("a"), async () => []);
    throw new Error("the transaction fails");
  });
  await expect(failing).rejects.toThrow("the transaction fails");
  expect([worker.begun, worker.worker.inFlightCount]).toEqual([[], 0]);
});

test("what is too many for a lane or for all is given back, and done when there is room", async () => {
  const worker = new BlockingWorker();
  await worker.insert(errands("a", "a", "a", "b", "c", "d"));
  await eventually(async () => {
    expect(places(worker.begun)).toEqual(["a", "a", "b"]);
    expect(await held()).toBe(3);
  });
  worker.finish();
  worker.worker.start();
  await eventually(async () => expect(places(worker.begun)).toEqual(["a", "a", "a", "b", "c", "d"]));
});

test("an outage of what is needed first gives new rows back, and they are done later", async () => {
  const worker = new BlockingWorker();
  worker.outages.push(new Outage("auth"));
  await worker.insert(errands("a"));
  await eventually(async () => expect([await held(), worker.worker.inFlightCount]).toEqual([0, 0]));
  worker.worker.start();
  await eventually(async () => expect(places(worker.begun)).toEqual(["a"]));
});

test("once it stops, new rows are left to others", async () => {
  const worker = new BlockingWorker();
  worker.worker.start();
  await worker.worker.stop();
  await worker.insert(errands("a"));
  expect([await held(), worker.begun]).toEqual([0, []]);
});

test("what others wait for goes before what is new", async () => {
  const worker = new BlockingWorker();
  await insertRows(errands("a", "b", "c", "d", "e"));
  worker.worker.start();
  await eventually(async () => expect(worker.begun).toHaveLength(4));
  const [late] = errands("late");
  await worker.insert(late ? [late] : []);
  worker.finish();
  await eventually(async () => expect(worker.begun).toHaveLength(6));
  expect(places(worker.begun.slice(0, 5))).toEqual(["a", "b", "c", "d", "e"]);
});
