import type { z } from "zod";
import { isId } from "../../platform/ids.ts";
import { readMailbox } from "../addresses/mailbox.ts";
import type { bindingsContract } from "../contract.ts";
import { lockOwner } from "../owners/owners.ts";
import { checkNotServed, readAddressSet, replaceRealAddresses } from "../real-addresses/real-addresses.ts";
import { noSuchBinding, selectBinding } from "./binding-rows.ts";
import type { BindingParts, Outcome } from "./create.ts";
import { checkDescription, invalid } from "./validation.ts";

type Change = z.output<typeof bindingsContract.procedures.update.input>;

/**
 * Changes what is given and leaves the rest; given real addresses are the whole new set.
 * @throws Refusal NotFound or ValidationFailed; nothing is changed then.
 */
export async function updateBinding(parts: BindingParts, change: Change): Promise<Outcome> {
  const { db, domains, links } = parts;
  const { ownerId, id } = change;
  if (!isId(id) || !isId(ownerId)) throw noSuchBinding();
  const addresses = change.realAddresses && readAddressSet(change.realAddresses);
  const description = change.description === undefined ? null : checkDescription(change.description);
  const callbackUrl = change.callbackUrl === undefined ? null : parts.callbackUrls.check(change.callbackUrl);
  return db.tx(async (tx) => {
    // An account that is not heard of yet has no binding.
    await lockOwner(tx, ownerId, noSuchBinding);
    const { rows } = await tx.query<{ proxy_address: string; proxy_address_key: string }>(
      `update binding set description = coalesce($3, description), callback_url = coalesce($4, callback_url),
              is_browsable = coalesce($5, is_browsable), updated_at = clock_timestamp()
        where id = $1 and owner_id = $2 returning proxy_address, proxy_address_key`,
      [id, ownerId, description, callbackUrl, change.isBrowsable ?? null],
    );
    if (!rows[0]) throw noSuchBinding();
    const { proxy_address: proxyAddress, proxy_address_key: key } = rows[0];
    if (change.proxyAddress && readMailbox(change.proxyAddress).mailbox?.key !== key) {
      throw invalid("proxy_address", "cannot be changed; leave it out or give the one that the binding has.");
    }
    if (addresses) await checkNotServed(tx, domains, addresses);
    const unproved = addresses ? await replaceRealAddresses(tx, { bindingId: id, ownerId, domains }, addresses) : [];
    const sent = await links.send(tx, { ownerId, proxyAddress }, unproved);
    return {
      binding: await selectBinding(tx, id),
      isCreated: false,
      isVerificationSent: sent.count > 0,
      isFirstBinding: false,
    };
  });
}
