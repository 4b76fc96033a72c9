import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";
import type { CallResult } from "./call.ts";

const otherAttempts = recordSet({ jobId: "uuid", attempt: "jsonb" });

/** Adds attempts that do not change the state, because the call was cancelled or claimed by another worker meanwhile. */
export async function keepOtherAttempts(
  tx: Transaction,
  { table, key }: { table: string; key: string },
  results: readonly CallResult[],
  recorded: ReadonlySet<string>,
): Promise<void> {
  const others = results.filter((result) => result.attempt !== null && !recorded.has(result.jobId));
  if (others.length === 0) return;
  await tx.query(
    `update ${table} set attempts = attempts || other.attempt
     from ${otherAttempts.from("other")} where ${table}.${key} = other.job_id`,
    otherAttempts.params(others),
  );
}
