import type { z } from "zod";
import { AccountEvent, type mailboxContract } from "../../mailbox/contract.ts";
import type { Database, Queryable } from "../../platform/db/types.ts";
import { invalidField } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import type { CallbackUrls } from "../../platform/net/callback-urls.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { hostOf } from "../calls/call.ts";
import type { AccountWebhook, accountWebhookProcedures } from "./contract.ts";

type Setting = z.output<typeof accountWebhookProcedures.setAccountWebhook.input>;
type Webhook = z.input<typeof AccountWebhook>;

interface WebhookRow extends Omit<Webhook, "createdAt" | "offAt"> {
  createdAt: Date;
  offAt: Date | null;
}

interface Dependencies {
  db: Database;
  mailbox: Pick<Client<typeof mailboxContract>, "pushEvents">;
  urls: CallbackUrls;
}

const maxBindings = 100;
const columns = "url, kinds, binding_ids, created_at, off_at, off_reason";

/** An account's webhook; null where there is none. */
export async function accountWebhook(db: Database, ownerId: string): Promise<Webhook | null> {
  const { rows } = await db.query<WebhookRow>(`select ${columns} from account_webhook where owner_id = $1`, [ownerId]);
  return rows[0] ? shown(rows[0]) : null;
}

/** Sets it, or switches it on again; what waits goes to the new URL. @throws Refusal ValidationFailed */
export async function setAccountWebhook(
  setting: Setting,
  { db, mailbox, urls }: Dependencies,
): Promise<{ webhook: Webhook; isCreated: boolean }> {
  const { ownerId, kinds, bindingIds } = setting;
  const url = urls.check(setting.url, "url");
  if (url === "") throw invalidField("url", "is missing.");
  const known: readonly string[] = AccountEvent.shape.kind.options;
  if (!kinds.every((kind) => known.includes(kind))) throw invalidField("kinds", `must be some of ${known.join(", ")}.`);
  if (bindingIds.length > maxBindings) throw invalidField("bindingIds", `has more than ${maxBindings} ids.`);
  if (!bindingIds.every(isId)) throw invalidField("bindingIds", "has something that is no id.");
  // First, so that nothing is changed while mailbox does not answer.
  await mailbox.pushEvents({ ownerId, isPushed: true });
  const { isCreated, ...webhook } = await db.tx(
    async (tx) => {
      const { rows } = await tx.query<WebhookRow & { isCreated: boolean }>(
        `insert into account_webhook as webhook (owner_id, url, host, kinds, binding_ids) values ($1, $2, $3, $4, $5)
         on conflict (owner_id) do update set url = excluded.url, host = excluded.host, kinds = excluded.kinds,
           binding_ids = excluded.binding_ids, set_at = now(), off_at = null, off_reason = null
         returning ${columns}, xmax = 0 as is_created`,
        [ownerId, url, hostOf(url), [...new Set(kinds)], [...new Set(bindingIds)]],
      );
      const [row] = rows;
      if (!row) throw new Error("no webhook was set");
      await tx.query(
        "update event_call set url = $2, host = $3 where owner_id = $1 and state = 'waiting' and url <> $2",
        [ownerId, url, hostOf(url)],
      );
      return row;
    },
    { attempts: 3 },
  );
  // Before this is answered, so that no event is missed that happens afterwards.
  await tellMailbox(ownerId, { db, mailbox });
  return { webhook: shown(webhook), isCreated };
}

/** Removes an account's webhook, if it has one; also while mailbox does not answer. */
export async function removeAccountWebhook(
  ownerId: string,
  { db, mailbox }: Pick<Dependencies, "db" | "mailbox">,
): Promise<void> {
  await db.tx(
    async (tx) => {
      await tx.query("delete from account_webhook where owner_id = $1", [ownerId]);
      await cancelWaiting(tx, [ownerId]);
    },
    { attempts: 3 },
  );
  await tellMailbox(ownerId, { db, mailbox });
}

/**
 * Has mailbox publish an account's events where there is a webhook, and not where there is none. Others may do the same at one moment, and
 * nothing is locked while mailbox is asked. So each looks again once it was answered, and whoever is answered last sees how it ended. A call that
 * failed may be carried out all the same: one that ends the events of a webhook set meanwhile is made up for.
 */
async function tellMailbox(ownerId: string, { db, mailbox }: Pick<Dependencies, "db" | "mailbox">): Promise<void> {
  const hasWebhook = async () =>
    (await db.query("select from account_webhook where owner_id = $1", [ownerId])).rowCount > 0;
  let isPushed = await hasWebhook();
  for (let told: boolean | undefined; told !== isPushed; isPushed = await hasWebhook()) {
    try {
      await mailbox.pushEvents({ ownerId, isPushed });
    } catch (error) {
      if (!isPushed && (await hasWebhook())) await mailbox.pushEvents({ ownerId, isPushed: true });
      throw error;
    }
    told = isPushed;
  }
}

/** Cancels the waiting calls of accounts. */
export async function cancelWaiting(queryable: Queryable, ownerIds: readonly string[]): Promise<void> {
  await queryable.query(
    `update event_call set state = 'cancelled', worker_id = null, lease_until = null, settled_at = now()
      where owner_id = any ($1::uuid[]) and state = 'waiting'`,
    [ownerIds],
  );
}

function shown({ createdAt, offAt, ...row }: WebhookRow): Webhook {
  return { ...row, createdAt: createdAt.toISOString(), offAt: offAt?.toISOString() ?? null };
}
