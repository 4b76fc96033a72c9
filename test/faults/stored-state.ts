import { asSuperuser } from "../support/peers/database.ts";

/** Whatever is on its way, over all schemas: all of it is nothing once everything has come to its end. */
interface PendingWork {
  outbox: number;
  dead: number;
  unparsed: number;
  undelivered: number;
  uncalledBack: number;
  unprocessed: number;
  /** Raw bytes that nobody needs; those in a bucket that were removed wait for the sweep. */
  orphanedRawMessages: number;
}

/** An email as the mailbox has it. */
export interface KeptEmail {
  id: string;
  bindingId: string;
}

const schemas = ["auth", "bindings", "ingress", "mailbox", "forwarder", "webhook"];

const countOver = (table: string) => schemas.map((schema) => `(select count(*) from ${schema}.${table})`).join(" + ");

export async function countPending(databaseUrl: string): Promise<PendingWork | undefined> {
  const [found] = await asSuperuser<PendingWork>(
    databaseUrl,
    `select ${countOver("outbox")} as outbox, ${countOver("dead_event")} as dead,
            (select count(*) from mailbox.parse_job) as unparsed,
            (select count(*) from forwarder.delivery where state = 'waiting') as undelivered,
            (select count(*) from webhook.callback where state = 'waiting') as uncalled_back,
            (select count(*) from mailbox.email where not is_processed and direction = 'FORWARD') as unprocessed,
            (select count(*) from ingress.blob where not (is_in_bucket and unattached_since = '-infinity') and not exists (
               select from ingress.raw_message join mailbox.email on email.id = any (email_ids)
               where raw_message.raw_id = blob.id and email.is_browsable)) as orphaned_raw_messages`,
  );
  return found;
}

/** Every email that the mailbox has, or those of some bindings. */
export function keptEmails(databaseUrl: string, bindingIds?: readonly string[]): Promise<KeptEmail[]> {
  return asSuperuser<KeptEmail>(
    databaseUrl,
    `select id, binding_id from mailbox.email
     where direction = 'FORWARD' and ($1::text[] is null or binding_id::text = any ($1))`,
    [bindingIds ?? null],
  );
}

/** Answers from a binding: all that the mailbox has, those that are held, and those whose fate is open. */
export async function answersKept(databaseUrl: string, bindingId: string) {
  const [found] = await asSuperuser<{ emails: number; held: number; open: number }>(
    databaseUrl,
    `select (select count(*) from mailbox.email where binding_id = '${bindingId}' and direction = 'ANSWER') as emails,
            count(*) filter (where state = 'held') as held,
            count(*) filter (where state = 'waiting') + (select count(*) from forwarder.delivery where state = 'waiting') as open
       from forwarder.answer`,
  );
  return found;
}

/** Emails per binding, as bindings has counted them. */
export async function counters(databaseUrl: string, bindingIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await asSuperuser<{ id: string; count: number }>(
    databaseUrl,
    "select id, received_emails as count from bindings.binding where id::text = any ($1)",
    [bindingIds],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}
