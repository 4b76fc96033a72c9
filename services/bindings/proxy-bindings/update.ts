import type { z } from "zod";
import { invalidField } from "../../platform/errors.ts";
import { isId } from "../../platform/ids.ts";
import { parseEmailAddress } from "../addresses/email-address.ts";
import type { bindingsContract } from "../contract.ts";
import { KeyRestrictions } from "../key-restrictions/key-restrictions.ts";
import { lockOwner } from "../owners/owners.ts";
import { addCatchAll } from "../patterns/catch-all.ts";
import { checkNotServed, readAddressSet, replaceRealAddresses, withAddress } from "../real-addresses/real-addresses.ts";
import type { BindingDependencies, BindingResult } from "./create.ts";
import { noSuchBinding, selectBinding, selectBindings, updateSettings } from "./rows.ts";
import { checkSettings } from "./settings.ts";

type Change = z.output<typeof bindingsContract.procedures.update.input>;

/**
 * Changes what is given and leaves the rest; given real addresses are the whole new set.
 * @throws Refusal NotFound, ValidationFailed, Forbidden where it is outside a key's restrictions, or as addCatchAll does; nothing is changed then.
 */
export async function updateBinding(dependencies: BindingDependencies, change: Change): Promise<BindingResult> {
  const { db, domains, links } = dependencies;
  const { ownerId, id } = change;
  if (!isId(id)) throw noSuchBinding();
  const given = change.realAddresses && readAddressSet(change.realAddresses);
  const settings = checkSettings(change, dependencies.callbackUrls);
  return db.tx(async (tx) => {
    // An account that is not known here yet has no binding.
    await lockOwner(tx, ownerId, noSuchBinding);
    const [present] = await selectBindings(tx, "where id = $1 and owner_id = $2", [id, ownerId]);
    if (!present) throw noSuchBinding();
    const restrictions = await KeyRestrictions.of(tx, ownerId, change.apiKey);
    if (restrictions.areSet) restrictions.checkBinding(present);
    const addresses =
      change.newRealAddress === undefined
        ? given
        : withAddress(given ?? readAddressSet(present.realAddresses), change.newRealAddress);
    restrictions.checkTargets(
      (addresses ?? []).map(({ emailAddress }) => emailAddress),
      settings.callbackUrl,
    );
    const { proxyAddress, key } = await updateSettings(tx, { id, ownerId }, settings);
    checkUnchanged(change.proxyAddress, key);
    if (addresses) await checkNotServed(tx, domains, addresses);
    const unverified = addresses ? await replaceRealAddresses(tx, { bindingId: id, ownerId, domains }, addresses) : [];
    const sent = await links.send(tx, { ownerId, proxyAddress, language: change.language }, unverified);
    const binding = await selectBinding(tx, id);
    if (change.addsCatchAll) await addCatchAll(tx, { domains, ownerId, apiKey: change.apiKey, restrictions }, binding);
    return {
      binding,
      isCreated: false,
      isVerificationSent: sent.count > 0,
      isFirstBinding: false,
    };
  });
}

/** @throws Refusal ValidationFailed for a proxy address that is not the one that the binding has */
function checkUnchanged(proxyAddress: string | null | undefined, key: string): void {
  // The key of an address that was freed is followed by a space: see releaseAddresses.
  if (proxyAddress && parseEmailAddress(proxyAddress).emailAddress?.key !== key.split(" ", 1)[0])
    throw invalidField("proxyAddress", "cannot be changed; leave it out or give the one that the binding has.");
}
