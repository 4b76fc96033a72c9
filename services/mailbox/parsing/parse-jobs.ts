import type { Database } from "../../platform/db/types.ts";
import type { DueRow, DueTable } from "../../platform/jobs/claim-due.ts";
import { inlineBytes } from "../limits.ts";

/** A message to be parsed. */
export interface ParseJob extends DueRow {
  readonly emailId: string;
  readonly rawId: string;
  readonly sizeBytes: number;
  /** The trace that the email belongs to. */
  readonly trace: Readonly<Record<string, string>>;
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

/** The parse jobs of one class. */
export function parseTable(which: JobClass): DueTable<ParseJob> {
  return {
    name: "parse_job",
    key: { column: "email_id", of: ({ emailId }) => emailId },
    columns: "email_id, raw_id, size_bytes, trace, full_attempt_at is not null as is_reduced",
    claimable: conditions[which],
  };
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

/** Parsing in full ended with another failure than an exceeded budget: the next attempt may be in full as well. */
export async function endFullAttempt(db: Database, emailId: string): Promise<void> {
  await db.query("update parse_job set full_attempt_at = null where email_id = $1", [emailId], {
    name: "parse_job_end_full",
  });
}
