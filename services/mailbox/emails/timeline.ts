import type { z } from "zod";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Queryable, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import type { TimelineEntry } from "../contract.ts";
import type { FailureReason } from "./failure-reasons.ts";
import type { TimelineKind } from "./timeline-kinds.ts";

export interface NewTimelineEntry {
  readonly emailId: string;
  readonly kind: TimelineKind;
  /** The real address or binding that a delivery is for; null for entries about the email itself. */
  readonly targetId: string | null;
  readonly attemptCount: number;
  readonly at: Date;
  readonly target: string | null;
  readonly detail: string | null;
  readonly isEnd: boolean;
  /** Of one that an attempt follows. */
  readonly nextAttemptAt?: Date | undefined;
  /** Of an attempt that failed. */
  readonly failureReason?: FailureReason | undefined;
}

const newEntries = recordSet({
  emailId: "uuid",
  kind: "text",
  targetId: "uuid",
  attemptCount: "integer",
  at: "timestamptz",
  isEnd: "boolean",
  nextAttemptAt: "timestamptz",
  failureReason: "text",
  target: "text",
  detail: "text",
});

/**
 * Adds entries; one that exists already is left as it is. For an erased email target and detail are dropped. The caller holds
 * the locks of the emails, which must exist.
 */
export async function addTimelineEntries(tx: Transaction, entries: readonly NewTimelineEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.query(
    `insert into timeline (${newEntries.columns})
     select email_id, kind, target_id, attempt_count, at, is_end, next_attempt_at, failure_reason,
            case when erased_at is null then target end, case when erased_at is null then detail end
       from ${newEntries.from("entry")} join email on email.id = email_id
     on conflict do nothing`,
    newEntries.params(entries.map((entry) => ({ nextAttemptAt: undefined, failureReason: undefined, ...entry }))),
    { name: "timeline_insert" },
  );
}

/**
 * From accepted to the last outcome, oldest first, whether or not the content is stored. The first entry comes of the envelope.
 * @throws Refusal NotFound (missing, or another account's).
 */
export async function timelineOf(
  db: Queryable,
  ownerId: string,
  emailId: string,
): Promise<z.input<typeof TimelineEntry>[]> {
  const found = isId(emailId) ? await timelinesOf(db, ownerId, [emailId]) : undefined;
  const timeline = found?.get(emailId);
  if (!timeline) throw new Refusal("NotFound", { public: "There is no such email." });
  return timeline;
}

/** The same for several emails, by id; those that are missing or another account's are absent. */
export async function timelinesOf(
  db: Queryable,
  ownerId: string,
  emailIds: readonly string[],
): Promise<Map<string, z.input<typeof TimelineEntry>[]>> {
  const { rows } = await db.query<{
    emailId: string;
    at: Date;
    kind: string;
    target: string | null;
    detail: string | null;
    ruleId: string | null;
  }>(
    `select email.id as email_id, entry.at, entry.kind, entry.target, entry.detail, entry.rule_id
       from email, lateral (
         select received_at as at, 'accepted' as kind, null as target, null::uuid as rule_id, 0 as attempt_count, 0 as rank,
                'from ' || received_from || case when authentication_results = '' then ''
                                                 else '; ' || regexp_replace(authentication_results, '\\s+', ' ', 'g') end as detail
         union all
         select at, kind, target, case when kind in ('discarded', 'rule_applied') then target_id end, attempt_count, 1, detail from timeline where email_id = email.id) as entry
      where email.id = any ($1::uuid[]) and email.owner_id = $2
      order by rank, at, attempt_count, kind, target`,
    [emailIds, ownerId],
    { name: "timeline_read", unprepared: true },
  );
  const byEmail = Map.groupBy(rows, (row) => row.emailId);
  const shown = ({ at, kind, target, detail, ruleId }: (typeof rows)[number]) => ({
    at: at.toISOString(),
    kind,
    target,
    detail,
    ruleId,
  });
  return new Map([...byEmail].map(([emailId, entries]) => [emailId, entries.map(shown)]));
}
