import { topics } from "../../../proto/topics.ts";
import { consumer } from "../../platform/events/consumer.ts";
import { removeDomains } from "../domains/remove-domains.ts";
import { removeBindings } from "../proxy-bindings/remove.ts";
import { removeTargets } from "../targets/account-targets.ts";

/**
 * Removes everything kept for accounts that were closed. What remains are the id, which no longer identifies a person, and
 * the digests of its addresses, now without an owner: they cannot be allocated again.
 */
export const closeAccounts = consumer(topics.accountClosed, async (tx, events) => {
  const accountIds = [...new Set(events.map(({ message }) => message.accountId))].sort();
  // account.opened may arrive later: it finds the row, and that it is closed.
  await tx.query(
    `insert into owner (id, closed_at) select id, now() from unnest($1::uuid[]) as account (id) order by id
     on conflict (id) do update set own_address = null, own_address_key = null, own_address_verified_at = null,
        welcomed_at = null, first_binding_at = null, closed_at = coalesce(owner.closed_at, now())`,
    [accountIds],
  );
  await tx.query("delete from import where owner_id = any ($1)", [accountIds]);
  await removeBindings(tx, "owner_id = any ($1)", [accountIds]);
  // The index's task has a note of each binding that was removed, and takes away what it writes at this moment.
  await tx.query("delete from binding_search where owner_id = any ($1)", [accountIds]);
  await tx.query("delete from search_owner where owner_id = any ($1)", [accountIds]);
  await tx.query("delete from binding_count where owner_id = any ($1)", [accountIds]);
  await tx.query("delete from rule where owner_id = any ($1)", [accountIds]);
  await removeDomains(tx, "owner_id = any ($1)", [accountIds]);
  await tx.query("update domain_epoch set owner_id = null where owner_id = any ($1)", [accountIds]);
  await removeTargets(tx, accountIds);
  await tx.query("delete from account_switch where id = any ($1)", [accountIds]);
  await tx.query("delete from paused_sending where owner_id = any ($1)", [accountIds]);
  await tx.query("delete from full_storage where owner_id = any ($1)", [accountIds]);
  await tx.query("update address_claim set owner_id = null where owner_id = any ($1)", [accountIds]);
});
