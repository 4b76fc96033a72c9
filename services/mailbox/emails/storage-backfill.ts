import { NIL } from "uuid";
import type { Database } from "../../platform/db/types.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { lockEmails } from "./lock-emails.ts";
import type { StorageQuota } from "./storage-quota.ts";

const intervalMs = 3_600_000;
const batchSize = 500;

/**
 * Counts the contents that were stored before contents were counted, or are stored by a process of that release while it is replaced.
 * Each is counted once, by whichever process comes first; one that is deleted meanwhile is not.
 * Exported for tests.
 */
export class StorageBackfill {
  readonly #db: Database;
  readonly #storage: StorageQuota;
  /** What comes up to here is counted. */
  #after: string = NIL;

  constructor(db: Database, storage: StorageQuota) {
    this.#db = db;
    this.#storage = storage;
  }

  /** Goes through some contents, oldest first. @returns whether there are more */
  async backfillSome(): Promise<boolean> {
    const { rows } = await this.#db.query<{ emailId: string; isCounted: boolean }>(
      `select email_id, kept_owner_id is not null as is_counted from content where email_id > $1 order by email_id limit ${batchSize}`,
      [this.#after],
      { name: "content_earlier" },
    );
    const uncounted = rows.filter(({ isCounted }) => !isCounted).map(({ emailId }) => emailId);
    if (uncounted.length > 0) await this.#count(uncounted);
    const last = rows.at(-1)?.emailId;
    if (last !== undefined) this.#after = last;
    return rows.length === batchSize;
  }

  async #count(emailIds: readonly string[]): Promise<void> {
    await this.#db.tx(
      async (tx) => {
        await lockEmails(tx, emailIds);
        const { rows } = await tx.query<{ emailId: string }>(
          `update content set kept_owner_id = owner_id,
                  kept_bytes = case when content.is_browsable and owner_id <> '${NIL}' then size_bytes end
             from email where email.id = email_id and email_id = any ($1::uuid[]) and kept_owner_id is null and owner_id is not null
           returning email_id`,
          [emailIds],
        );
        await this.#storage.add(
          tx,
          rows.map(({ emailId }) => emailId),
        );
      },
      { attempts: 3 },
    );
  }
}

export function storageBackfill(db: Database, storage: StorageQuota, logger: Logger): PollingTask {
  const backfill = new StorageBackfill(db, storage);
  return new PollingTask({ name: "storage-backfill", intervalMs, logger, run: () => backfill.backfillSome() });
}
