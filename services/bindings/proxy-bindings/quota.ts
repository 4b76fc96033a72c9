import type { Queryable } from "../../platform/db/types.ts";

export interface Quota {
  /** Bindings that count towards the quota: automatic ones do not. */
  used: number;
  available: number;
}

/** SQL: how many bindings an account ($1) has, or how many of them count towards its quota. One that has not changed since they are kept is counted. */
export const totalOfOwner = countOf("total", "true");
export const usedOfOwner = countOf("total - automatic", "not is_automatic");

function countOf(kept: string, condition: string): string {
  return `coalesce((select ${kept} from binding_count where owner_id = $1),
                   (select count(*)::int from binding where owner_id = $1 and ${condition}))`;
}

/** An account's use of its quota. */
export async function quotaOf(db: Queryable, ownerId: string, available: number): Promise<Quota> {
  const { rows } = await db.query<{ used: number }>(`select ${usedOfOwner} as used`, [ownerId], {
    name: "bindings.quota",
    gathered: true,
  });
  return { used: rows[0]?.used ?? 0, available };
}
