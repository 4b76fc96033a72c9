import { topics } from "../../../proto/topics.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { consumer } from "../../platform/events/consumer.ts";
import type { Consumer } from "../../platform/events/types.ts";
import { newId } from "../../platform/ids.ts";
import { claimGenerated } from "../addresses/claims.ts";
import type { Domains } from "../addresses/domains.ts";
import type { Owners } from "./owners.ts";

const description = "Made for you when you signed up: use it where you would rather not give your own address.";

/**
 * Takes down new accounts, and gives each that signed up by itself a first binding that leads to its own address. No link is
 * sent for it: auth has the own address proved, and says account.opened again once it is.
 */
export function welcomeAccounts(owners: Owners, domains: Domains, isAutomatic: boolean): Consumer {
  return consumer(topics.accountOpened, async (tx, events) => {
    // The last word on each account: two rows of one account in one statement would be an error.
    const accounts = new Map(events.map(({ message }) => [message.accountId, message]));
    await owners.record(
      tx,
      [...accounts.values()].map(({ accountId: id, ...account }) => ({ id, ...account })),
    );
    const signedUp = [...accounts.values()]
      .filter((account) => !account.isOperatorMade)
      .map(({ accountId }) => accountId);
    if (isAutomatic && signedUp.length > 0) await makeAutomaticBindings(tx, domains, signedUp);
  });
}

async function makeAutomaticBindings(tx: Transaction, domains: Domains, accountIds: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `update owner set welcomed_at = now()
      where id = any ($1) and welcomed_at is null and closed_at is null and own_address is not null returning id`,
    [accountIds],
  );
  if (rows.length === 0) return;
  const claimed = await claimGenerated(
    tx,
    domains.service,
    rows.map(({ id }) => id),
  );
  const bindings = [...claimed].map(([ownerId, mailbox]) => ({ id: newId(), ownerId, mailbox }));
  await tx.query(
    `with made as (
       insert into binding (id, owner_id, proxy_address, proxy_address_key, description, callback_url, is_browsable, is_automatic, created_at, updated_at)
       select id, owner_id, address, key, $5, '', false, true, now, now
         from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as made (id, owner_id, address, key), clock_timestamp() as now
       returning id, owner_id)
     insert into real_address (id, binding_id, owner_id, address, address_key, is_enabled, is_internal, verified_at)
     select real.id, made.id, made.owner_id, own_address, own_address_key, true, false, own_address_verified_at
       from made join owner on owner.id = made.owner_id join unnest($6::uuid[], $2::uuid[]) as real (id, owner_id) on real.owner_id = made.owner_id`,
    [
      bindings.map(({ id }) => id),
      bindings.map(({ ownerId }) => ownerId),
      bindings.map(({ mailbox }) => mailbox.spelling),
      bindings.map(({ mailbox }) => mailbox.key),
      description,
      bindings.map(() => newId()),
    ],
  );
}
