import type { z } from "zod";
import type { Database } from "../../platform/db/types.ts";
import { retryNow } from "../../platform/jobs/retry-now.ts";
import type { Destination, WaitingDelivery } from "../contract.ts";
import { replyCodesOf } from "../replies/reply-codes.ts";

/** Deliveries as jobs. */
export const deliveryJobs = { table: "delivery", key: "id" } as const;

/** A condition on each delivery that is claimed. */
export const isNotPaused =
  "not exists (select from paused_destination as paused where paused.domain = delivery.domain)";

/** Domains with waiting deliveries, the most first, and those that are paused. */
export async function listDestinations(db: Database, limit: number): Promise<z.input<typeof Destination>[]> {
  const { rows } = await db.query<{ domain: string; waiting: number; oldestAt: Date | null; pausedAt: Date | null }>(
    `select domain, coalesce(waiting, 0) as waiting, oldest_at, paused_at
     from (select domain, count(*)::int as waiting, min(received_at) as oldest_at from delivery where state = 'waiting' group by domain)
       as queue full join paused_destination using (domain)
     order by waiting desc, domain limit $1`,
    [limit],
  );
  return rows.map(({ oldestAt, pausedAt, ...row }) => ({
    ...row,
    oldestAt: oldestAt?.toISOString() ?? null,
    pausedAt: pausedAt?.toISOString() ?? null,
  }));
}

/** Nothing more is sent there until it is resumed; deliveries in flight are finished. */
export async function pauseDestination(db: Database, domain: string): Promise<void> {
  await db.query("insert into paused_destination (domain) values ($1) on conflict do nothing", [domain]);
}

/** False if it was not paused. */
export async function resumeDestination(db: Database, domain: string): Promise<boolean> {
  const { rowCount } = await db.query("delete from paused_destination where domain = $1", [domain]);
  return rowCount > 0;
}

/** Waiting deliveries, the next due first; to one domain or to any. */
export async function listWaiting(
  db: Database,
  { domain, limit }: { domain: string | null; limit: number },
): Promise<z.input<typeof WaitingDelivery>[]> {
  const { rows } = await db.query<{ receivedAt: Date; dueAt: Date; response: string | null } & WaitingRow>(
    `select id, email_id, domain, received_at, due_at,
       jsonb_array_length(attempts) as attempt_count, attempts -> -1 ->> 'response' as response
     from delivery where state = 'waiting' and ($1::text is null or domain = $1) order by due_at limit $2`,
    [domain, limit],
  );
  return rows.map(({ receivedAt, dueAt, response, ...row }) => ({
    ...row,
    receivedAt: receivedAt.toISOString(),
    nextAttemptAt: dueAt.toISOString(),
    lastReply: response === null ? null : replyCodes(response),
  }));
}

interface WaitingRow {
  id: string;
  emailId: string | null;
  domain: string;
  attemptCount: number;
}

/** The codes of a reply (RFC 5321 section 4.2, RFC 3463) alone: its text may name the real address, which operators need not know. */
function replyCodes(response: string): string {
  const { reply, status } = replyCodesOf(response);
  return [reply ?? "no reply", status ?? ""].join(" ").trim();
}

/** Makes waiting deliveries due at once: by id, to one domain, or all of them. Gives how many. */
export function retryWaiting(
  db: Database,
  { ids, domain }: { ids: readonly string[] | null; domain: string | null },
): Promise<number> {
  const where = "due_at > now() and ($1::uuid[] is null or id = any ($1)) and ($2::text is null or domain = $2)";
  return retryNow(db, deliveryJobs, { where }, [ids, domain]);
}
