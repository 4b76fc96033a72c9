import type { Transaction } from "../../platform/db/types.ts";

/** Counts answers that came to their end, and those that failed for good; deliveries of other kinds count nowhere. */
export async function countSendingOutcomes(
  tx: Transaction,
  { settledIds, failedIds }: { settledIds: readonly string[]; failedIds: readonly string[] },
): Promise<void> {
  if (settledIds.length + failedIds.length === 0) return;
  await tx.query(
    `insert into sent_count as known (owner_id, day, settled, failed)
     select owner_id, current_date, count(*) filter (where id = any ($1::uuid[])), count(*) filter (where id = any ($2::uuid[]))
       from delivery where id = any ($1::uuid[] || $2::uuid[]) and is_answer group by owner_id order by owner_id
     on conflict (owner_id, day) do update set settled = known.settled + excluded.settled, failed = known.failed + excluded.failed`,
    [settledIds, failedIds],
    { name: "sent_count" },
  );
}
