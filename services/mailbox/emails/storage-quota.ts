import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AccountStorageChangedSchema } from "../../../proto/gen/postern/mailbox/v1/account_storage_changed_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { BlobStore } from "../../platform/blobs/types.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { event, publish } from "../../platform/events/outbox/outbox.ts";

interface StorageRow {
  ownerId: string;
  usedBytes: number;
  isFull: boolean;
}

/** Where contents are kept, and counted. */
export interface ContentStores {
  readonly blobs: BlobStore;
  readonly storage: StorageQuota;
}

const bytesPerMb = 1_000_000;

/** Counts what is kept for each account, and publishes when one has come over its quota or under it. Counting goes on without a quota. */
export class StorageQuota {
  readonly #limitBytes: number;

  /** @param quotaMb QUOTA_STORAGE_MB; 0: no quota */
  constructor(quotaMb: number) {
    this.#limitBytes = quotaMb === 0 ? Number.POSITIVE_INFINITY : quotaMb * bytesPerMb;
  }

  /** Counts stored contents. The caller holds the locks of their emails. */
  async add(tx: Transaction, emailIds: readonly string[]): Promise<void> {
    const { rows } = await tx.query<StorageRow>(
      `insert into storage (owner_id, used_bytes)
       select kept_owner_id, sum(kept_bytes) from content where email_id = any ($1::uuid[]) and kept_bytes > 0
        group by kept_owner_id order by kept_owner_id
       on conflict (owner_id) do update set used_bytes = storage.used_bytes + excluded.used_bytes
       returning owner_id, used_bytes, is_full`,
      [emailIds],
      { name: "storage_add" },
    );
    await this.#publishChanges(tx, rows);
  }

  /** Deletes contents and counts them no longer. The caller holds the locks of their emails. */
  async deleteContents(tx: Transaction, emailIds: readonly string[]): Promise<void> {
    const { rows } = await tx.query<StorageRow>(
      `with deleted as (delete from content where email_id = any ($1::uuid[]) returning kept_owner_id as owner_id, kept_bytes),
            freed as (select owner_id, sum(kept_bytes) as bytes from deleted where kept_bytes > 0 group by owner_id),
            locked as materialized (
              select owner_id from storage where owner_id in (select owner_id from freed) order by owner_id for no key update)
       update storage set used_bytes = greatest(0, used_bytes - freed.bytes)
         from freed join locked using (owner_id) where storage.owner_id = freed.owner_id
       returning storage.owner_id, used_bytes, is_full`,
      [emailIds],
      { name: "content_delete" },
    );
    await this.#publishChanges(tx, rows);
  }

  /** After a change of the quota: publishes for whom it makes a difference. */
  async applyQuota(db: Database): Promise<void> {
    await db.tx(async (tx) => {
      const { rows } = await tx.query<StorageRow>(
        `select owner_id, used_bytes, is_full from storage where is_full <> (used_bytes > $1) order by owner_id for no key update`,
        [Number.isFinite(this.#limitBytes) ? this.#limitBytes : Number.MAX_SAFE_INTEGER],
      );
      await this.#publishChanges(tx, rows);
    });
  }

  /** What the account uses of what it may, in MB of 1,000,000 octets; null: no limit. */
  async usageOf(db: Database, ownerId: string): Promise<{ usedMb: number; limitMb: number | null }> {
    const { rows } = await db.query<{ usedBytes: number }>(
      "select used_bytes from storage where owner_id = $1",
      [ownerId],
      {
        name: "storage_of",
      },
    );
    const limitMb = Number.isFinite(this.#limitBytes) ? this.#limitBytes / bytesPerMb : null;
    return { usedMb: (rows[0]?.usedBytes ?? 0) / bytesPerMb, limitMb };
  }

  async #publishChanges(tx: Transaction, rows: readonly StorageRow[]): Promise<void> {
    const changed = rows.filter(({ usedBytes, isFull }) => usedBytes > this.#limitBytes !== isFull);
    if (changed.length === 0) return;
    await tx.query("update storage set is_full = not is_full where owner_id = any ($1::uuid[])", [
      changed.map(({ ownerId }) => ownerId),
    ]);
    const changedAt = timestampFromDate(new Date());
    await publish(
      tx,
      changed.map(({ ownerId: accountId, isFull }) =>
        event(topics.accountStorage, create(AccountStorageChangedSchema, { accountId, isFull: !isFull, changedAt })),
      ),
    );
  }
}
