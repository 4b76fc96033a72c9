import type { Database } from "../../platform/db/types.ts";

/** A message to be parsed. */
export interface ParseJob {
  readonly emailId: string;
  readonly rawId: string;
  /** The trace that the email belongs to. */
  readonly trace: Readonly<Record<string, string>>;
  /** This attempt included. */
  readonly attemptCount: number;
}

const batchLimit = 32;
/** The text of a batch is in memory until it is stored; a single message may be larger. */
const batchLimitBytes = 8 * 1024 * 1024;

/**
 * Claims due jobs under a lease, oldest first. Attempts are counted when they begin, so that a message that kills the process
 * is noticed; for the same reason a retried job ("again") is claimed alone.
 */
export async function claimJobs(db: Database, which: "fresh" | "again", leaseS: number): Promise<ParseJob[]> {
  const { rows } = await db.query<ParseJob>(
    `with candidate as materialized (
       select email_id, size_bytes, due_at from parse_job
        where ${which === "fresh" ? "attempt_count = 0" : "attempt_count > 0"} and due_at <= now()
        order by due_at limit $1 for update skip locked),
     batch as (
       select email_id as id, sum(size_bytes) over (order by due_at, email_id) - size_bytes as bytes_before from candidate)
     update parse_job set due_at = now() + make_interval(secs => $3), attempt_count = attempt_count + 1
      where email_id = any (array(select id from batch where bytes_before < $2))
     returning email_id, raw_id, trace, attempt_count`,
    [which === "fresh" ? batchLimit : 1, batchLimitBytes, leaseS],
    { name: `parse_job_claim_${which}` },
  );
  return rows;
}

/** Postpones a claimed job. An outage is not counted as an attempt. */
export async function postponeJob(
  db: Database,
  emailId: string,
  { delayMs, isCounted }: { delayMs: number; isCounted: boolean },
): Promise<void> {
  await db.query(
    "update parse_job set due_at = now() + make_interval(secs => $2), attempt_count = attempt_count - $3 where email_id = $1",
    [emailId, delayMs / 1_000, isCounted ? 0 : 1],
  );
}
