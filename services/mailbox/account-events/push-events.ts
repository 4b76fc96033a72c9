import type { Database } from "../../platform/db/types.ts";

/** Whether an account's events are published as they are recorded. Of an account that is closed they never are. */
export async function pushEvents(db: Database, ownerId: string, isPushed: boolean): Promise<void> {
  await db.query(
    isPushed
      ? `insert into event_push (owner_id) select $1::uuid
          where not exists (select from erasure where owner_id = $1 and binding_id is null) on conflict do nothing`
      : "delete from event_push where owner_id = $1",
    [ownerId],
  );
}
