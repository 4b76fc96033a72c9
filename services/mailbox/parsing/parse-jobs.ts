import type { Database } from "../../platform/db/types.ts";
import { claimDue } from "../../platform/jobs/claim-due.ts";
import { inlineBytes } from "../limits.ts";

/** A message to be parsed. */
export interface ParseJob {
  readonly emailId: string;
  readonly rawId: string;
  readonly sizeBytes: number;
  /** The trace that the email belongs to. */
  readonly trace: Readonly<Record<string, string>>;
  /** This attempt included. */
  readonly attemptCount: number;
  /** Parsing it in full exceeded the budget, or ended the process. */
  readonly isReduced: boolean;
}

/** Small messages are claimed many at a time, large ones and those that failed before alone. */
export type JobClass = "small" | "small again" | "large";

const conditions: Readonly<Record<JobClass, string>> = {
  small: `size_bytes <= ${inlineBytes} and attempt_count = 0`,
  "small again": `size_bytes <= ${inlineBytes} and attempt_count > 0`,
  large: `size_bytes > ${inlineBytes}`,
};

const batchLimit = 32;

/**
 * Claims due jobs under a lease, oldest first. Attempts are counted when they begin, so that a message that kills the process
 * is noticed.
 */
export function claimJobs(db: Database, which: JobClass, leaseS: number): Promise<ParseJob[]> {
  const queue = {
    table: "parse_job",
    columns: "email_id, raw_id, size_bytes, trace, attempt_count, full_attempt_at is not null as is_reduced",
    where: conditions[which],
    set: "attempt_count = attempt_count + 1",
    name: `parse_job_claim_${which.replace(" ", "_")}`,
  };
  return claimDue<ParseJob>(db, queue, { limit: which === "small" ? batchLimit : 1, leaseS });
}

/**
 * Remembers that parsing in full begins, and keeps the job for as long as it may take: should it end the process, it is not tried again.
 */
export async function beginFullAttempt(db: Database, emailId: string, leaseS: number): Promise<void> {
  await db.query(
    "update parse_job set full_attempt_at = now(), due_at = now() + make_interval(secs => $2) where email_id = $1",
    [emailId, leaseS],
    { name: "parse_job_begin_full" },
  );
}

/** Postpones a claimed job. An outage is not counted as an attempt. That parsing in full exceeded the budget stays remembered. */
export async function postponeJob(
  db: Database,
  { emailId, isReduced }: ParseJob,
  { delayMs, isCounted }: { delayMs: number; isCounted: boolean },
): Promise<void> {
  await db.query(
    `update parse_job set due_at = now() + make_interval(secs => $2), attempt_count = attempt_count - $3,
            full_attempt_at = case when $4 then full_attempt_at end
      where email_id = $1`,
    [emailId, delayMs / 1_000, isCounted ? 0 : 1, isReduced],
    { name: "parse_job_postpone" },
  );
}
