import type { z } from "zod";
import type { Transaction } from "../../platform/db/types.ts";
import { invalidField } from "../../platform/errors.ts";
import type { EmailAddress } from "../addresses/email-address.ts";
import type { bindingsContract } from "../contract.ts";
import { KeyRestrictions } from "../key-restrictions/key-restrictions.ts";
import { replaceInPatterns } from "../patterns/domain-patterns.ts";
import type { BindingDependencies } from "../proxy-bindings/create.ts";
import { selectBindings } from "../proxy-bindings/rows.ts";
import { replaceInRules } from "../rules/manage-rules.ts";
import { changeRules } from "../rules/positions.ts";
import { targetStates } from "../targets/target-states.ts";
import { checkForwardable } from "../targets/verified-targets.ts";
import { checkAddress } from "../validation.ts";
import { checkNotServed, readAddressSet, replaceRealAddresses } from "./real-addresses.ts";

type Replacement = z.output<typeof bindingsContract.procedures.replaceRealAddress.input>;

/**
 * Has every binding, pattern and rule of an account lead to another address in place of one. The new one is sent one link, at a limited
 * rate, unless it is verified, and gets no mail before.
 * @returns how many bindings were changed
 * @throws Refusal ValidationFailed where patterns or rules lead to the old one and mail could not be forwarded to the new one; Forbidden where one is outside a key's restrictions; nothing is changed then
 */
export async function replaceEverywhere(
  { db, domains, links, owners }: BindingDependencies,
  { ownerId, oldAddress, newAddress, apiKey, language }: Replacement,
): Promise<number> {
  const old = checkAddress("oldEmail", oldAddress);
  const wanted = checkAddress("newEmail", newAddress);
  await owners.ensureKnown(ownerId);
  return changeRules(db, ownerId, async (tx) => {
    await checkNotServed(tx, domains, [{ emailAddress: wanted, field: "newEmail" }]);
    const restrictions = await KeyRestrictions.of(tx, ownerId, apiKey);
    const bindings = await selectBindings(
      tx,
      "where owner_id = $1 and id in (select binding_id from real_address where owner_id = $1 and address_key = $2) order by id",
      [ownerId, old.key],
    );
    for (const binding of bindings) {
      if (restrictions.areSet) restrictions.checkBinding(binding);
      const present = readAddressSet(binding.realAddresses);
      const others = present.filter(({ emailAddress: { key } }) => key !== old.key && key !== wanted.key);
      // Where it has the new one already: enabled if either was.
      const isEnabled = present.some((each) => !others.includes(each) && each.isEnabled);
      const addresses = [...others, { emailAddress: wanted, isEnabled, field: "newEmail" }];
      restrictions.checkTargets(
        addresses.map(({ emailAddress }) => emailAddress),
        undefined,
      );
      await replaceRealAddresses(tx, { bindingId: binding.id, ownerId, domains }, addresses);
    }
    const isReplaced = [
      await replaceInPatterns(tx, { ownerId, restrictions }, { old, wanted }),
      await replaceInRules(tx, { ownerId, restrictions }, { old, wanted }),
    ];
    if (isReplaced.includes(true)) {
      checkForwardable(domains, "newEmail", wanted.domain);
      await checkTarget(tx, ownerId, wanted);
    }
    if (bindings.length > 0 || isReplaced.includes(true)) await sendLink(tx, { links, ownerId, language }, wanted);
    return bindings.length;
  });
}

/** @throws Refusal ValidationFailed for an address that gets no mail, and would get none once a link to it was opened */
async function checkTarget(tx: Transaction, ownerId: string, { spelling }: EmailAddress): Promise<void> {
  const stateOf = await targetStates(tx, [{ ownerId, target: spelling }]);
  const { isLive, isUnverified } = stateOf(ownerId, spelling);
  if (isLive || isUnverified) return;
  const sentence =
    "patterns or rules lead to the old address, and no proxy address has this one switched on: give it to one, or switch it on, first.";
  throw invalidField("newEmail", sentence);
}

/** The link verifies the address in all bindings. */
async function sendLink(
  tx: Transaction,
  { links, ownerId, language }: Pick<BindingDependencies, "links"> & Pick<Replacement, "ownerId" | "language">,
  wanted: EmailAddress,
): Promise<void> {
  const { rows } = await tx.query<{ id: string; proxyAddress: string }>(
    `select real_address.id, proxy_address from real_address join binding on binding.id = binding_id
      where real_address.owner_id = $1 and address_key = $2 and verified_at is null and not is_internal
      order by binding_id limit 1`,
    [ownerId, wanted.key],
  );
  for (const { id, proxyAddress } of rows)
    await links.send(tx, { ownerId, proxyAddress, language }, [{ id, emailAddress: wanted }]);
}
