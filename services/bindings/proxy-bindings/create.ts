import type { z } from "zod";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { invalidField, Refusal } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { CallbackUrls } from "../../platform/net/callback-urls.ts";
import type { Limit } from "../../platform/security/rate-limits.ts";
import { allocateChosen, allocateGenerated, generateAddress } from "../addresses/allocation.ts";
import { type EmailAddress, withLowerCaseDomain } from "../addresses/email-address.ts";
import { isReservedOnOwnDomain, type ReservedNames } from "../addresses/reserved-names.ts";
import { isSingleScript } from "../addresses/scripts.ts";
import type { ProvedDomain, ServedDomains } from "../addresses/served-domains.ts";
import type { SendingLimits } from "../contacts/sending-limits.ts";
import type { SendingPolicy } from "../contacts/sending-policy.ts";
import { type BindingOutcome, bindingLimits, type bindingsContract } from "../contract.ts";
import { KeyRestrictions } from "../key-restrictions/key-restrictions.ts";
import { type LockedOwner, lockOwner, type Owners } from "../owners/owners.ts";
import {
  checkNotServed,
  generateInternalAddress,
  readAddressList,
  replaceRealAddresses,
} from "../real-addresses/real-addresses.ts";
import { checkAddress } from "../validation.ts";
import type { VerificationLinks } from "../verification/links.ts";
import { quotaOf } from "./quota.ts";
import { insertBindings, type ProxyBinding, selectBinding, selectBindings } from "./rows.ts";
import { checkSettings } from "./settings.ts";

type Creation = z.output<typeof bindingsContract.procedures.create.input>;
export type BindingResult = z.output<typeof BindingOutcome>;

/** What creating and changing bindings needs. */
export interface BindingDependencies {
  db: Database;
  domains: ServedDomains;
  owners: Owners;
  links: VerificationLinks;
  callbackUrls: CallbackUrls;
  /** Bindings that an account may have. */
  quota: number;
  /** Contacts that mail may make of an account. */
  contactQuota: number;
  /** New addresses that an account may choose within 24 hours. */
  newAddressesPerDay: number;
  /** Reserved, as the names of RFC 2142 are. */
  reservedNames: ReservedNames;
  /** Contacts that an account may make by hand in an hour. */
  newContacts: Limit;
  sending: { policy: SendingPolicy; limits: SendingLimits };
}

/** What an import does otherwise than a request. */
export interface CreationOptions {
  /** Real addresses that are not verified are sent no link. */
  readonly sendsNoLinks?: boolean;
  /** What belongs to the same transaction; not called for a binding that exists already. */
  onCreated?(tx: Transaction, binding: BindingResult["binding"]): Promise<void>;
}

/**
 * Creates a binding. Where the chosen address is already the caller's own, gives the binding that exists, unchanged.
 * @throws Refusal ValidationFailed, QuotaExceeded, AddressTaken, or Forbidden where it is outside a key's restrictions; nothing is changed then.
 */
export async function createBinding(
  dependencies: BindingDependencies,
  creation: Creation,
  { sendsNoLinks = false, onCreated }: CreationOptions = {},
): Promise<BindingResult> {
  const { db, domains, owners, links } = dependencies;
  const { ownerId } = creation;
  const chosen = creation.proxyAddress ? checkAddress("proxyAddress", creation.proxyAddress) : undefined;
  const settings = checkSettings(creation, dependencies.callbackUrls);
  const restrictions = await KeyRestrictions.of(db, ownerId, creation.apiKey);
  const addresses = addressesOf(creation.realAddresses, restrictions, domains);
  const domain = chosen?.domain ?? (creation.domain?.toLowerCase() || restrictions.domain) ?? domains.service;
  restrictions.checkDomain(domain);
  restrictions.checkTargets(
    addresses.map(({ emailAddress }) => emailAddress),
    settings.callbackUrl,
  );
  await owners.ensureKnown(ownerId);
  return db.tx(async (tx) => {
    const owner = await lockOwner(tx, ownerId);
    const own = await ownDomainOf(tx, domains, { field: chosen ? "proxyAddress" : "domain", domain }, ownerId);
    await checkNotServed(tx, domains, addresses);
    const existing = chosen && (await ownBindingAt(tx, chosen, ownerId));
    if (existing) return existingResult(existing, restrictions);
    if (chosen) checkLocalPart(chosen, own === undefined ? dependencies.reservedNames : undefined);
    await checkQuota(tx, ownerId, dependencies.quota);
    const proxyAddress = await allocate(tx, dependencies, { chosen, domain }, { ownerId, epoch: own?.epoch });
    const id = newId();
    await insertBindings(tx, [{ id, ownerId, proxyAddress, isAutomatic: false, settings }]);
    const unverified = await replaceRealAddresses(tx, { bindingId: id, ownerId, domains }, addresses);
    const asked = sendsNoLinks ? [] : unverified;
    const sent = await links.send(
      tx,
      { ownerId, proxyAddress: proxyAddress.spelling, language: creation.language },
      asked,
    );
    await recordFirstBinding(tx, owner);
    const binding = await selectBinding(tx, id);
    await onCreated?.(tx, binding);
    return { binding, isCreated: true, isVerificationSent: sent.count > 0, isFirstBinding: !owner.hasCreatedBinding };
  });
}

/** @throws Refusal Forbidden, AddressTaken for a key that may not read */
function existingResult(binding: ProxyBinding, restrictions: KeyRestrictions): BindingResult {
  restrictions.checkBinding(binding);
  if (!restrictions.mayRead)
    throw new Refusal("AddressTaken", { public: "proxyAddress: there is such an address already." });
  return { binding, isCreated: false, isVerificationSent: false, isFirstBinding: false };
}

/** Where nothing is given: what a key leads to, and otherwise nowhere. @throws Refusal ValidationFailed */
function addressesOf(given: Creation["realAddresses"], { targets }: KeyRestrictions, domains: ServedDomains) {
  if (given?.length) return readAddressList(given);
  return targets?.size
    ? readAddressList([...targets.values()].slice(0, bindingLimits.realAddresses))
    : [generateInternalAddress(domains)];
}

/**
 * The account's own domain that an address is on; undefined for the service's.
 * @throws Refusal ValidationFailed for a domain that is neither the service's nor a verified one of the account
 */
async function ownDomainOf(
  tx: Transaction,
  domains: ServedDomains,
  { field, domain }: { field: string; domain: string },
  ownerId: string,
): Promise<ProvedDomain | undefined> {
  const holder = (await domains.served(tx, [domain])).get(domain);
  if (holder === undefined || (holder !== null && holder.ownerId !== ownerId)) {
    const subject = field === "domain" ? "" : "its domain ";
    throw invalidField(field, `${subject}must be ${domains.service} or a verified domain of yours.`);
  }
  return holder ?? undefined;
}

/**
 * Refuses names that would mislead recipients of mail from the address; on a domain of the account's own only those that the
 * service itself uses. @throws Refusal ValidationFailed
 */
function checkLocalPart({ localPart }: EmailAddress, reservedNames: ReservedNames | undefined): void {
  const isTaken = reservedNames ? reservedNames.has(localPart) : isReservedOnOwnDomain(localPart);
  if (isTaken) throw invalidField("proxyAddress", "the part before the @ is reserved, or looks like a reserved one.");
  if (!isSingleScript(localPart))
    throw invalidField("proxyAddress", "the part before the @ must be written in one script that is in common use.");
}

async function ownBindingAt(tx: Transaction, { key }: EmailAddress, ownerId: string) {
  const [binding] = await selectBindings(tx, "where proxy_address_key = $1 and owner_id = $2", [key, ownerId]);
  return binding;
}

/** @throws Refusal QuotaExceeded */
async function checkQuota(tx: Transaction, ownerId: string, quota: number): Promise<void> {
  const { used } = await quotaOf(tx, ownerId, quota);
  if (used >= quota) {
    throw new Refusal("QuotaExceeded", {
      public: `No more than ${quota} proxy addresses are available to an account.`,
    });
  }
}

/** The domain of a proxy address is shown in lower case; its local part keeps its spelling. */
async function allocate(
  tx: Transaction,
  { newAddressesPerDay }: BindingDependencies,
  { chosen, domain }: { chosen: EmailAddress | undefined; domain: string },
  { ownerId, epoch }: { ownerId: string; epoch: number | undefined },
): Promise<EmailAddress> {
  // An address on a domain of the account's own belongs to its epoch, however the address was found.
  const wanted = chosen ?? (epoch === undefined ? undefined : generateAddress(domain));
  if (wanted) {
    await allocateChosen(tx, wanted, { ownerId, epoch, perDay: newAddressesPerDay });
    return withLowerCaseDomain(wanted);
  }
  const allocated = (await allocateGenerated(tx, domain, [ownerId])).get(ownerId);
  if (!allocated) throw new Error("no address was allocated");
  return allocated;
}

/** Written once: a binding created after the first was removed is not the first. */
async function recordFirstBinding(tx: Transaction, { id, hasCreatedBinding }: LockedOwner): Promise<void> {
  if (!hasCreatedBinding) await tx.query("update owner set first_binding_at = now() where id = $1", [id]);
}
