import type { Database } from "../../db/types.ts";
import type { JobTable } from "../job-claims.ts";

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
