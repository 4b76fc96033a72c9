import type { Database, Transaction } from "../../platform/db/types.ts";
import { firstIdAt } from "../../platform/ids.ts";
import { unlockedRows } from "../../platform/jobs/unlocked-rows.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { lockEmails } from "../emails/lock-emails.ts";
import { countOutcomes } from "../emails/outcome-counts.ts";
import { addToDays } from "./mail-counts.ts";
import { wordsOf } from "./search-words.ts";
import { searchedLimit } from "./summary.ts";

const intervalMs = 300_000;
const batchSize = 500;
/** Emails that are younger wait: they may be recorded in another order than that of their ids. */
const minAgeMs = 900_000;

const theCursor = unlockedRows({ columns: "last_id, ends_at", table: "mail_listing", where: "true", limit: 1 });

/**
 * Lists the emails that came before there were lists, or that a process of that release records while it is replaced: with their outcomes
 * and words, as read, without a preview. Goes through some emails, oldest first, in one process at a time; how far is remembered, so
 * that each is looked at once, and none that came later.
 * @returns whether there are more
 * Exported for tests.
 */
export function backfillListBatch(db: Database, now: Date = new Date()): Promise<boolean> {
  return db.tx(
    async (tx) => {
      const cursor = (await tx.query<{ lastId: string; endsAt: Date }>(theCursor)).rows[0];
      if (!cursor) return false;
      const end = Math.min(now.getTime() - minAgeMs, cursor.endsAt.getTime());
      const { rows } = await tx.query<{ id: string; isListed: boolean }>(
        `select id, owner_id is null or removed_at is not null or exists (
                  select from mail_entry where mail_entry.owner_id = email.owner_id and email_id = email.id) as is_listed
           from email where id > $1 and id < $2 order by id limit ${batchSize}`,
        [cursor.lastId, firstIdAt(new Date(end))],
        { name: "email_earlier" },
      );
      const last = rows.at(-1)?.id;
      if (last === undefined) return false;
      const unlisted = rows.filter(({ isListed }) => !isListed).map(({ id }) => id);
      if (unlisted.length > 0) await list(tx, unlisted);
      await tx.query("update mail_listing set last_id = $1", [last]);
      return rows.length === batchSize;
    },
    { attempts: 3 },
  );
}

async function list(tx: Transaction, ids: readonly string[]): Promise<void> {
  await lockEmails(tx, ids);
  await tx.query(
    `with entry as (
       insert into mail_entry (owner_id, email_id, binding_id, received_at, is_kept)
       select owner_id, id, binding_id, received_at, exists (select from content where email_id = email.id and content.is_browsable)
         from email where id = any ($1::uuid[]) and owner_id is not null and removed_at is null order by owner_id, id
       on conflict do nothing returning owner_id, email_id, binding_id, received_at),
     words as (
       insert into mail_search (email_id, owner_id, words)
       select content.email_id, owner_id,
              ${wordsOf(`concat_ws(' ', subject, (select sender from email where id = content.email_id), left(body_plain, ${searchedLimit}))`)}
         from content join entry using (email_id) where is_browsable
       on conflict do nothing),
     change as (
       select entry.*, (direction = 'FORWARD')::integer as received, 0 as delivered, 0 as failed, 0 as unread
         from entry join email on email.id = email_id)
     ${addToDays}`,
    [ids],
  );
  await countOutcomes(tx, ids);
}

export function listBackfill(db: Database, logger: Logger): PollingTask {
  return new PollingTask({ name: "mail-listing", intervalMs, logger, run: () => backfillListBatch(db) });
}
