import { recordSet } from "../../db/record-set.ts";
import type { Database } from "../../db/types.ts";
import { newId } from "../../ids.ts";
import type { JobTable } from "../job-claims.ts";
import type { Lease } from "../job-worker.ts";

export interface TestJob {
  id: string;
  place: string;
}

/** Long leases: what is taken over in a test is not taken over because of them. */
export const testJobTable: JobTable<TestJob> = {
  name: "test_job",
  key: { column: "id", of: ({ id }) => id },
  columns: "id, place",
  concurrencyLimits: [{ column: "place", of: ({ place }) => place, limit: 2 }],
  limit: 4,
  leaseS: 3_600,
};

export async function createTestJobTable(db: Database): Promise<void> {
  await db.query(`create table test_job (id uuid primary key, place text not null, state text not null default 'waiting',
    due_at timestamptz not null default now(), worker_id uuid, lease_until timestamptz)`);
}

export const testJobs = (...places: string[]): TestJob[] => places.map((place) => ({ id: newId(), place }));

const newTestJobs = recordSet({ id: "uuid", place: "text", workerId: "uuid", leaseS: "float8" });

/** Gives the ids of those that have a lease. */
export async function insertTestJobs(db: Database, rows: readonly (TestJob & Partial<Lease>)[]): Promise<string[]> {
  const { rows: inserted } = await db.query<{ id: string; workerId: string | null }>(
    `insert into test_job (id, place, worker_id, lease_until)
     select id, place, worker_id, now() + lease_s * interval '1 second' from ${newTestJobs.from("test_job")}
     on conflict (id) do nothing returning id, worker_id`,
    newTestJobs.params(rows.map((row) => ({ workerId: null, leaseS: null, ...row }))),
  );
  return inserted.flatMap(({ id, workerId }) => (workerId === null ? [] : [id]));
}
