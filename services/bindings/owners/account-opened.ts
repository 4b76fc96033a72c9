import { topics } from "../../../proto/topics.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { consumer } from "../../platform/events/consumer.ts";
import type { Consumer } from "../../platform/events/types.ts";
import { newId } from "../../platform/ids.ts";
import { allocateGenerated } from "../addresses/allocation.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import { insertBindings } from "../proxy-bindings/rows.ts";
import type { Owners } from "./owners.ts";

const ownAddresses = recordSet({ id: "uuid", bindingId: "uuid", ownerId: "uuid" });

const description = "Made for you when you signed up: use it where you would rather not give your own address.";

/**
 * Records new accounts, and creates an automatic binding to the own address of each that signed up by itself. No link is
 * sent for it: auth verifies the username, and publishes account.opened again once it is verified.
 */
export function openAccounts(owners: Owners, domains: ServedDomains, isAutomatic: boolean): Consumer {
  return consumer(topics.accountOpened, async (tx, events) => {
    // The latest event of each account: one statement cannot insert the same row twice.
    const accounts = new Map(events.map(({ message }) => [message.accountId, message]));
    await owners.record(
      tx,
      [...accounts.values()].map(({ accountId: id, ...account }) => ({ id, ...account })),
    );
    const signedUp = [...accounts.values()]
      .filter((account) => !account.isOperatorMade)
      .map(({ accountId }) => accountId);
    if (isAutomatic && signedUp.length > 0) await createAutomaticBindings(tx, domains, signedUp);
  });
}

async function createAutomaticBindings(
  tx: Transaction,
  domains: ServedDomains,
  accountIds: readonly string[],
): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `update owner set welcomed_at = now()
      where id = any ($1) and welcomed_at is null and closed_at is null and own_address is not null returning id`,
    [accountIds],
  );
  if (rows.length === 0) return;
  const allocated = await allocateGenerated(
    tx,
    domains.service,
    rows.map(({ id }) => id),
  );
  const bindings = [...allocated].map(([ownerId, proxyAddress]) => ({
    id: newId(),
    ownerId,
    proxyAddress,
    isAutomatic: true,
    settings: { description },
  }));
  await insertBindings(tx, bindings);
  await tx.query(
    `insert into real_address (id, binding_id, owner_id, address, address_key, is_enabled, is_internal, verified_at)
     select real.id, binding_id, owner.id, own_address, own_address_key, true, false, own_address_verified_at
       from ${ownAddresses.from("real")} join owner on owner.id = owner_id`,
    ownAddresses.params(bindings.map(({ id: bindingId, ownerId }) => ({ id: newId(), bindingId, ownerId }))),
  );
}
