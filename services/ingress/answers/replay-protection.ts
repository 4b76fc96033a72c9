import type { Database, Queryable, Transaction } from "../../platform/db/types.ts";
import { deletionTask } from "../../platform/runtime/deletion-task.ts";
import type { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";

const keptDays = 14;

/** Records the digests of answers against replays, each of several that come in one set once. @returns for each whether it is new */
export async function recordNewAnswers(tx: Transaction, digests: readonly (Buffer | undefined)[]): Promise<boolean[]> {
  const given = digests.filter((digest) => digest !== undefined);
  if (given.length === 0) return digests.map(() => true);
  const { rows } = await tx.query<{ digest: Buffer }>(
    `insert into seen_answer (digest) select digest from (select distinct unnest($1::bytea[]) as digest) as answer order by digest
     on conflict do nothing returning digest`,
    [given],
    { name: "seen_answer_insert" },
  );
  const fresh = new Set(rows.map(({ digest }) => digest.toString("hex")));
  return digests.map((digest) => digest === undefined || fresh.delete(digest.toString("hex")));
}

/** Whether an answer with this digest was taken before. */
export async function wasTaken(db: Queryable, digest: Buffer): Promise<boolean> {
  const { rowCount } = await db.query("select from seen_answer where digest = $1", [digest], { name: "seen_answer" });
  return rowCount > 0;
}

/** Deletes digests that are no longer needed: an answer of their age is refused for its Date. */
export function expireAnswerDigests(db: Database, logger: Logger): PollingTask {
  return deletionTask({
    name: "answer-replays",
    db,
    logger,
    statement: `delete from seen_answer where digest = any (array(
           select digest from seen_answer where seen_at < now() - make_interval(days => $2) limit $1))`,
    params: [keptDays],
  });
}
