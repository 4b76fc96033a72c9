import { NIL } from "uuid";
import type { Database } from "../../platform/db/types.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { countOutcomes, lockEmails } from "../emails/progress.ts";
import { addToDays } from "./day-counts.ts";
import { wordsOf } from "./search-words.ts";
import { searchedLimit } from "./summary.ts";

const intervalMs = 3_600_000;
const batchSize = 500;

/**
 * Lists the emails that came before there were lists, or that a process of that release records while it is replaced: with their outcomes
 * and words, as read, without a preview.
 */
export class EarlierEntries {
  readonly #db: Database;
  /** What comes up to here is listed. */
  #after: string = NIL;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Goes through some emails, oldest first. @returns whether there are more */
  async listSome(): Promise<boolean> {
    const { rows } = await this.#db.query<{ id: string; isListed: boolean }>(
      `select id, owner_id is null or removed_at is not null or exists (
                select from mail_entry where mail_entry.owner_id = email.owner_id and email_id = email.id) as is_listed
         from email where id > $1 order by id limit ${batchSize}`,
      [this.#after],
      { name: "email_earlier" },
    );
    const unlisted = rows.filter(({ isListed }) => !isListed).map(({ id }) => id);
    if (unlisted.length > 0) await this.#list(unlisted);
    this.#after = rows.at(-1)?.id ?? this.#after;
    return rows.length === batchSize;
  }

  async #list(ids: readonly string[]): Promise<void> {
    await this.#db.tx(
      async (tx) => {
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
      },
      { attempts: 3 },
    );
  }
}

export function earlierEntriesWork(db: Database, logger: Logger): PollingTask {
  const earlier = new EarlierEntries(db);
  return new PollingTask({ name: "mail-listing", intervalMs, logger, run: () => earlier.listSome() });
}
