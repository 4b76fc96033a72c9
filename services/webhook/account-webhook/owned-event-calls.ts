import type { z } from "zod";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { prune } from "../../platform/jobs/prune.ts";
import { mayBeRetried, retryNow } from "../../platform/jobs/retry-now.ts";
import type { CallAttempt } from "../calls/call.ts";
import type { accountWebhookProcedures, EventCall } from "./contract.ts";
import { eventCallJobs } from "./event-call.ts";

interface OwnedRow {
  url: string;
  state: z.output<typeof EventCall>["state"];
  attempts: CallAttempt[];
  dueAt: Date;
  body: string;
}

type Page = z.output<typeof accountWebhookProcedures.eventCalls.input>;

/** An account's calls, newest first. */
export async function ownedEventCalls(
  db: Database,
  { ownerId, after, first, states, bindingId }: Page,
): Promise<z.input<typeof EventCall>[]> {
  const { rows } = await db.query<OwnedRow>(
    `select url, state, attempts, due_at, body from event_call where owner_id = $1
        and ($2::uuid is null or (received_at, id) < (select received_at, id from event_call where owner_id = $1 and id = $2))
        and ($4::uuid is null or binding_id = $4) and (cardinality($5::text[]) = 0 or state = any ($5))
      order by received_at desc, id desc limit $3`,
    [ownerId, after ?? null, first, bindingId ?? null, states],
  );
  return rows.map(({ body, dueAt, ...row }) => ({
    ...row,
    ...(JSON.parse(body) as Pick<
      z.input<typeof EventCall>,
      "id" | "kind" | "at" | "bindingId" | "emailId" | "address"
    >),
    body,
    nextAttemptAt: row.state === "waiting" ? dueAt.toISOString() : null,
  }));
}

/** How many were given up or cancelled and may be sent again; of one binding alone, or of all. */
export async function failedEventCallCount(db: Database, ownerId: string, bindingId?: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from event_call where owner_id = $1 and state in ('given_up', 'cancelled')
        and ${mayBeRetried} and ($2::uuid is null or binding_id = $2)`,
    [ownerId, bindingId ?? null],
  );
  return rows[0]?.count ?? 0;
}

type Retried = z.output<typeof accountWebhookProcedures.retryEventCalls.input>;

/**
 * Makes these due at once, to where the webhook is now: delivered ones too; without ids all that failed or wait, as far as states and
 * binding are those given. @returns how many
 * @throws Refusal NotFound where there is no webhook
 */
export async function retryEventCalls(db: Database, { ownerId, ids, states, bindingId }: Retried): Promise<number> {
  return db.tx(
    async (tx) => {
      const { rows } = await tx.query<Pick<OwnedRow, "url"> & { host: string }>(
        "select url, host from account_webhook where owner_id = $1 for share",
        [ownerId],
      );
      const [webhook] = rows;
      if (!webhook) throw new Refusal("NotFound", { public: "There is no webhook." });
      const failed = ["given_up", "cancelled"];
      const target = {
        where: `owner_id = $1 and ($4::uuid[] is null or id = any ($4)) and ($5::uuid is null or binding_id = $5)
          and (cardinality($6::text[]) = 0 or state = any ($6))`,
        endedIn: ids ? [...failed, "delivered"] : failed,
        set: "url = $2, host = $3",
      };
      const params = [ownerId, webhook.url, webhook.host, ids ?? null, bindingId ?? null, states];
      return retryNow(tx, eventCallJobs, target, params);
    },
    { attempts: 3 },
  );
}

const pruneBatchSize = 5_000;

/** Removes calls that ended long enough ago. True when more may be left. */
export async function pruneEventCalls(db: Database, keepDays: number): Promise<boolean> {
  const { mayBeMore } = await prune(
    db,
    {
      table: "event_call",
      key: "id",
      where: "settled_at < now() - make_interval(days => $1)",
      orderBy: "settled_at",
      limit: pruneBatchSize,
    },
    [keepDays],
  );
  return mayBeMore;
}
