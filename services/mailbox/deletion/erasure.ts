import { topics } from "../../../proto/topics.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { consumer } from "../../platform/events/consumer.ts";
import type { DueRow, DueTable } from "../../platform/jobs/claim-due.ts";
import { DueWorker, dueAgain } from "../../platform/jobs/due-worker.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import { addAccountEvents, addressEvent } from "../account-events/add-events.ts";
import { forgetAccountEvents } from "../account-events/delete-events.ts";
import { lockEmails } from "../emails/lock-emails.ts";
import { releaseRawMessages } from "../emails/release-raw-messages.ts";
import type { ContentStores } from "../emails/storage-quota.ts";
import { removeEntries } from "../lists/list-entries.ts";
import { deleteContent } from "./remove-email.ts";

const batchLimit = 500;
/**
 * An email may be recorded by a transaction that began before its erasure was asked for, and cannot know of it: what is to be erased is looked
 * for once more when it has ended.
 */
const lookAgainS = 60;

interface Scope {
  readonly ownerId: string;
  /** Null: all bindings of the account. */
  readonly bindingId: string | null;
}

interface Erasure extends Scope, DueRow {
  readonly id: string;
}

interface ErasureOptions {
  db: Database;
  stores: ContentStores;
  logger: Logger;
  metrics: Metrics;
}

const scopeRows = recordSet({ ownerId: "uuid", bindingId: "uuid" });

/** Requests the erasure of a removed binding's emails. */
export function eraseBindings(wake: () => void) {
  return consumer(topics.bindingRemoved, async (tx, events) => {
    await requestErasure(
      tx,
      events.map(({ message }) => ({ ownerId: message.ownerId, bindingId: message.bindingId })),
      wake,
    );
    await addAccountEvents(
      tx,
      events.map(({ message, occurredAt }) => addressEvent("address.removed", message, message.removedAt, occurredAt)),
    );
  });
}

/** Requests the erasure of a closed account's emails. */
export function eraseAccounts(wake: () => void) {
  return consumer(topics.accountClosed, (tx, events) =>
    requestErasure(
      tx,
      events.map(({ message }) => ({ ownerId: message.accountId, bindingId: null })),
      wake,
    ),
  );
}

/** Erasing may take many batches, so the consumer only records the request. In the order in which late mail locks erasures. */
async function requestErasure(tx: Transaction, scopes: readonly Scope[], wake: () => void): Promise<void> {
  await tx.query(
    `insert into erasure (${scopeRows.columns}) select distinct * from ${scopeRows.from("scope")} order by 1, 2
     on conflict (owner_id, binding_id) do update set is_done = false, due_at = now(), attempt_count = 0`,
    scopeRows.params(scopes),
  );
  tx.afterCommit(wake);
}

/** Its key is made from what it is about: a binding's may be null. */
const erasureId = "md5(owner_id::text || coalesce(binding_id::text, ''))::uuid";

const erasures: DueTable<Erasure> = {
  name: "erasure",
  key: { column: erasureId, of: ({ id }) => id },
  columns: `${erasureId} as id, owner_id, binding_id`,
  claimable: "not is_done",
};

/** Carries out the requested erasures, a bounded number of emails at a time. */
export function erasureWork({ db, stores, logger, metrics }: ErasureOptions): DueWorker<Erasure> {
  return new DueWorker({
    name: "mail-erasure",
    db,
    table: erasures,
    intervalMs: 5_000,
    limit: 1,
    visibilityTimeoutS: 300,
    process: (erasure) => db.tx((tx) => eraseBatch(tx, stores, erasure)),
    logger,
    metrics,
  });
}

/**
 * Releases the raw bytes at once and leaves of each email its id alone, so that late events restore nothing. Retention deletes
 * the id.
 */
async function eraseBatch(tx: Transaction, stores: ContentStores, scope: Erasure): Promise<void> {
  // An erasure that is requested again meanwhile, as late mail does, waits for the end of this transaction, and then begins again.
  const { rows } = await tx.query<{ isLastLook: boolean }>(
    `select asked_at < now() - make_interval(secs => $3) as is_last_look from erasure
      where owner_id = $1 and binding_id is not distinct from $2 for update`,
    [scope.ownerId, scope.bindingId, lookAgainS],
  );
  const emails = await tx.query<{ id: string }>(
    "select id from email where owner_id = $1 and ($2::uuid is null or binding_id = $2) order by owner_id, binding_id, id limit $3",
    [scope.ownerId, scope.bindingId, batchLimit],
  );
  const ids = emails.rows.map((row) => row.id);
  if (ids.length > 0) {
    await lockEmails(tx, ids);
    await removeEntries(
      tx,
      ids.map((emailId) => ({ ownerId: scope.ownerId, emailId })),
    );
    await deleteContent(tx, stores, ids);
    await tx.query("delete from timeline where email_id = any ($1::uuid[]) and not is_end", [ids]);
    await tx.query("update timeline set target = null, detail = null where email_id = any ($1::uuid[])", [ids]);
    await tx.query(
      `update email set erased_at = now(), is_browsable = false, owner_id = null, binding_id = null, received_at = null, sender = null,
              recipient = null, proxy_address = null, callback_url = null, received_from = null, authentication_results = null, size_bytes = null
        where id = any ($1::uuid[])`,
      [ids],
    );
    await releaseRawMessages(tx, ids);
  }
  const mayBeMore =
    ids.length === batchLimit || (scope.bindingId === null && (await forgetAccountEvents(tx, scope.ownerId)));
  if (mayBeMore) return dueAgain(tx, erasures, scope, 0);
  const params = [scope.ownerId, scope.bindingId];
  await tx.query("delete from mail_day where owner_id = $1 and ($2::uuid is null or binding_id = $2)", params);
  if (scope.bindingId === null) await tx.query("delete from storage where owner_id = $1", [scope.ownerId]);
  if (!rows[0]?.isLastLook) return dueAgain(tx, erasures, scope, lookAgainS);
  await tx.query(
    "update erasure set is_done = true where owner_id = $1 and binding_id is not distinct from $2",
    params,
  );
}
