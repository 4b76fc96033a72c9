import type { z } from "zod";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { claimChosen, claimGenerated } from "../addresses/claims.ts";
import type { Domains } from "../addresses/domains.ts";
import type { Mailbox } from "../addresses/mailbox.ts";
import { isReserved } from "../addresses/reserved-names.ts";
import type { BindingOutcome, bindingsContract } from "../contract.ts";
import { type LockedOwner, lockOwner, type Owners } from "../owners/owners.ts";
import {
  checkNotServed,
  madeUpAddress,
  readAddressList,
  replaceRealAddresses,
} from "../real-addresses/real-addresses.ts";
import type { VerificationLinks } from "../verification/links.ts";
import { selectBinding, selectBindings } from "./binding-rows.ts";
import type { CallbackUrls } from "./callback-url.ts";
import { quotaOf } from "./quota.ts";
import { checkDescription, checkMailbox, invalid } from "./validation.ts";

type Creation = z.output<typeof bindingsContract.procedures.create.input>;
export type Outcome = z.output<typeof BindingOutcome>;

/** What changes to bindings stand on. */
export interface BindingParts {
  db: Database;
  domains: Domains;
  owners: Owners;
  links: VerificationLinks;
  callbackUrls: CallbackUrls;
  quota: number;
}

/**
 * Makes a binding; where the address chosen is one of the caller's own already, gives that binding as it is.
 * @throws Refusal ValidationFailed, QuotaExceeded or AddressTaken; nothing is changed then.
 */
export async function createBinding(parts: BindingParts, creation: Creation): Promise<Outcome> {
  const { db, domains, owners, links } = parts;
  const { ownerId } = creation;
  const chosen = creation.proxyAddress ? checkMailbox("proxy_address", creation.proxyAddress) : undefined;
  const description = checkDescription(creation.description ?? "");
  const callbackUrl = parts.callbackUrls.check(creation.callbackUrl);
  const addresses = creation.realAddresses?.length ? readAddressList(creation.realAddresses) : [madeUpAddress(domains)];
  await owners.meet(ownerId);
  return db.tx(async (tx) => {
    const owner = await lockOwner(tx, ownerId);
    if (chosen) await checkChosen(tx, domains, chosen, ownerId);
    await checkNotServed(tx, domains, addresses);
    const existing = chosen && (await ownBindingAt(tx, chosen, ownerId));
    if (existing) return { binding: existing, isCreated: false, isVerificationSent: false, isFirstBinding: false };
    await checkQuota(tx, ownerId, parts.quota);
    const { spelling: proxyAddress, key } = await claim(tx, domains, chosen, ownerId);
    const id = newId();
    await tx.query(
      `insert into binding (id, owner_id, proxy_address, proxy_address_key, description, callback_url, is_browsable, is_automatic, created_at, updated_at)
       select $1, $2, $3, $4, $5, $6, $7, false, now, now from clock_timestamp() as now`,
      [id, ownerId, proxyAddress, key, description, callbackUrl, creation.isBrowsable ?? false],
    );
    const unproved = await replaceRealAddresses(tx, { bindingId: id, ownerId, domains }, addresses);
    const sent = await links.send(tx, { ownerId, proxyAddress }, unproved);
    await rememberFirst(tx, owner);
    const binding = await selectBinding(tx, id);
    return { binding, isCreated: true, isVerificationSent: sent.count > 0, isFirstBinding: !owner.hasMadeBinding };
  });
}

/** @throws Refusal ValidationFailed for a reserved local part, or a domain that is neither the service's nor a verified one of the account. */
async function checkChosen(
  tx: Transaction,
  domains: Domains,
  { localPart, domain }: Mailbox,
  ownerId: string,
): Promise<void> {
  const served = await domains.served(tx, [domain]);
  const holder = served.get(domain);
  if (holder === undefined || (holder !== null && holder !== ownerId)) {
    throw invalid("proxy_address", `its domain must be ${domains.service} or a verified domain of yours.`);
  }
  if (isReserved(localPart)) throw invalid("proxy_address", "the part before the @ is reserved.");
}

async function ownBindingAt(tx: Transaction, { key }: Mailbox, ownerId: string) {
  const [binding] = await selectBindings(tx, "where proxy_address_key = $1 and owner_id = $2", [key, ownerId]);
  return binding;
}

/** Those that the service made do not count. */
async function checkQuota(tx: Transaction, ownerId: string, quota: number): Promise<void> {
  const { used } = await quotaOf(tx, ownerId, quota);
  if (used >= quota) {
    throw new Refusal("QuotaExceeded", { public: `No more than ${quota} proxy bindings are available to an account.` });
  }
}

async function claim(
  tx: Transaction,
  domains: Domains,
  chosen: Mailbox | undefined,
  ownerId: string,
): Promise<Mailbox> {
  if (chosen) {
    await claimChosen(tx, chosen, ownerId);
    return chosen;
  }
  const claimed = (await claimGenerated(tx, domains.service, [ownerId])).get(ownerId);
  if (!claimed) throw new Error("no address was claimed");
  return claimed;
}

/** Once for ever: a binding made after the first was removed is not the first. */
async function rememberFirst(tx: Transaction, { id, hasMadeBinding }: LockedOwner): Promise<void> {
  if (!hasMadeBinding) await tx.query("update owner set first_binding_at = now() where id = $1", [id]);
}
