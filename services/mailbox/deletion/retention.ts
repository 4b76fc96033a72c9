import type { Database, Transaction } from "../../platform/db/types.ts";
import { dayMs } from "../../platform/durations.ts";
import { firstIdAt } from "../../platform/ids.ts";
import { prune } from "../../platform/jobs/prune.ts";
import { unlockedRows } from "../../platform/jobs/unlocked-rows.ts";
import { PollingTask } from "../../platform/runtime/polling-task.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { publishReleased } from "../emails/release-raw-messages.ts";
import type { ContentStores } from "../emails/storage-quota.ts";
import { removeEntries } from "../lists/list-entries.ts";
import { deleteContent } from "./remove-email.ts";

const intervalMs = 60_000;
const emailLimit = 1_000;
const entryLimit = 5_000;

interface RetentionSettings {
  readonly retentionDays: number;
  readonly linkHours: number;
}

/** Deletes what is older than its retention. */
export function retentionWork(
  db: Database,
  stores: ContentStores,
  settings: RetentionSettings,
  logger: Logger,
): PollingTask {
  return new PollingTask({
    name: "mail-retention",
    intervalMs,
    logger,
    run: () => deleteExpired(db, stores, settings),
  });
}

/** Deletes a bounded number of rows; true if more may be due. Exported for tests. */
export async function deleteExpired(
  db: Database,
  stores: ContentStores,
  settings: RetentionSettings,
): Promise<boolean> {
  // Ids are UUIDs of version 7, which begin with their time.
  const boundary = firstIdAt(new Date(Date.now() - settings.retentionDays * dayMs));
  await stores.storage.applyQuota(db);
  const served = await db.tx((tx) => deleteServedContent(tx, stores, "attachment_count = 0", 0));
  const linked = await db.tx((tx) => deleteServedContent(tx, stores, "attachment_count > 0", settings.linkHours));
  const emails = await db.tx((tx) => deleteEmails(tx, stores, boundary));
  const timeline = { table: "timeline", key: "ctid", where: "email_id < $1", orderBy: "email_id", limit: entryLimit };
  const entries = await prune(db, timeline, [boundary]);
  const days = { table: "mail_day", key: "ctid", where: "day < $1", orderBy: "day", limit: entryLimit };
  const counts = await prune(db, days, [
    new Date(Date.now() - (settings.retentionDays + 1) * dayMs).toISOString().slice(0, 10),
  ]);
  await db.query("delete from erasure where is_done and asked_at < now() - make_interval(days => $1)", [
    settings.retentionDays,
  ]);
  return [served, linked, emails].includes(emailLimit) || entries.mayBeMore || counts.mayBeMore;
}

/** Contents that were kept for a callback only: deleted at once, or, with attachments, when the callback's links have expired. */
async function deleteServedContent(
  tx: Transaction,
  stores: ContentStores,
  which: "attachment_count = 0" | "attachment_count > 0",
  afterHours: number,
): Promise<number> {
  const { rows } = await tx.query<{ id: string }>(
    unlockedRows({
      columns: "email_id as id",
      table: "content",
      where: `${which} and served_at <= now() - make_interval(hours => $1)`,
      orderBy: "served_at",
      limit: "$2",
    }),
    [afterHours, emailLimit],
  );
  if (rows.length > 0)
    await deleteContent(
      tx,
      stores,
      rows.map((row) => row.id),
    );
  return rows.length;
}

async function deleteEmails(tx: Transaction, stores: ContentStores, boundary: string): Promise<number> {
  const { rows } = await prune<{ emailId: string; ownerId: string | null; rawId: string | null; isReleased: boolean }>(
    tx,
    {
      table: "email",
      key: "id",
      where: "id < $1",
      limit: emailLimit,
      returning: "id as email_id, owner_id, raw_id, is_released",
    },
    [boundary],
  );
  if (rows.length === 0) return 0;
  await removeEntries(
    tx,
    rows.flatMap(({ ownerId, emailId }) => (ownerId === null ? [] : [{ ownerId, emailId }])),
  );
  await deleteContent(
    tx,
    stores,
    rows.map((row) => row.emailId),
  );
  await publishReleased(
    tx,
    rows.flatMap(({ emailId, rawId, isReleased }) => (rawId === null || isReleased ? [] : [{ emailId, rawId }])),
  );
  return rows.length;
}
