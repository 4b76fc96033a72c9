import type { Database } from "../../platform/db/types.ts";
import { isId } from "../../platform/ids.ts";

/** What stands beside an email in the list of what is kept. */
export interface AdjacentEmails {
  readonly olderId: string | null;
  readonly newerId: string | null;
}

export async function adjacentEmails(
  db: Database,
  ownerId: string,
  emailIds: readonly string[],
): Promise<Map<string, AdjacentEmails>> {
  const beside = (comparison: "<" | ">", order: "desc" | "asc") => `(
    select email_id from mail_entry where owner_id = $1 and is_kept and email_id ${comparison} wanted.id order by email_id ${order} limit 1)`;
  const { rows } = await db.query<AdjacentEmails & { id: string }>(
    `select wanted.id, ${beside("<", "desc")} as older_id, ${beside(">", "asc")} as newer_id from unnest($2::uuid[]) as wanted (id)`,
    [ownerId, emailIds.filter(isId)],
    { name: "mail_neighbours", unprepared: true },
  );
  return new Map(rows.map(({ id, ...found }) => [id, found]));
}
