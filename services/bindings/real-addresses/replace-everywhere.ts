import type { z } from "zod";
import type { bindingsContract } from "../contract.ts";
import { lockOwner } from "../owners/owners.ts";
import type { BindingDependencies } from "../proxy-bindings/create.ts";
import { selectBindings } from "../proxy-bindings/rows.ts";
import { KeyRestrictions } from "../targets/key-restrictions.ts";
import { checkAddress } from "../validation.ts";
import { checkNotServed, readAddressSet, replaceRealAddresses } from "./real-addresses.ts";

type Replacement = z.output<typeof bindingsContract.procedures.replaceRealAddress.input>;

/**
 * Has every binding of an account lead to another address in place of one. The new one is sent one link, unless it is verified.
 * @returns how many bindings were changed
 * @throws Refusal ValidationFailed, Forbidden where a binding is outside a key's restrictions; nothing is changed then
 */
export async function replaceEverywhere(
  { db, domains, links, owners }: BindingDependencies,
  { ownerId, oldAddress, newAddress, apiKey }: Replacement,
): Promise<number> {
  const old = checkAddress("oldEmail", oldAddress);
  const wanted = checkAddress("newEmail", newAddress);
  await owners.ensureKnown(ownerId);
  return db.tx(async (tx) => {
    await lockOwner(tx, ownerId);
    const restrictions = await KeyRestrictions.of(tx, ownerId, apiKey);
    const bindings = await selectBindings(
      tx,
      "where owner_id = $1 and id in (select binding_id from real_address where owner_id = $1 and address_key = $2) order by id",
      [ownerId, old.key],
    );
    let isLinkSent = false;
    for (const binding of bindings) {
      if (restrictions.areSet) restrictions.checkBinding(binding);
      const present = readAddressSet(binding.realAddresses);
      const others = present.filter(({ emailAddress: { key } }) => key !== old.key && key !== wanted.key);
      // Where it has the new one already, what either is to get is wanted.
      const isEnabled = present.some((each) => !others.includes(each) && each.isEnabled);
      const addresses = [...others, { emailAddress: wanted, isEnabled, field: "newEmail" }];
      restrictions.checkTargets(
        addresses.map(({ emailAddress }) => emailAddress),
        undefined,
      );
      await checkNotServed(tx, domains, addresses);
      const unverified = await replaceRealAddresses(tx, { bindingId: binding.id, ownerId, domains }, addresses);
      // The link verifies the address in all of them.
      if (unverified.length > 0 && !isLinkSent) {
        await links.send(tx, { ownerId, proxyAddress: binding.proxyAddress }, unverified);
        isLinkSent = true;
      }
    }
    return bindings.length;
  });
}
