import type { Queryable } from "../../platform/db/types.ts";

export interface Quota {
  /** Bindings that count towards the quota: automatic ones do not. */
  used: number;
  available: number;
}

/** An account's use of its quota. */
export async function quotaOf(db: Queryable, ownerId: string, available: number): Promise<Quota> {
  const { rows } = await db.query<{ used: number }>(
    "select count(*) as used from binding where owner_id = $1 and not is_automatic",
    [ownerId],
    { name: "bindings.quota" },
  );
  return { used: rows[0]?.used ?? 0, available };
}
