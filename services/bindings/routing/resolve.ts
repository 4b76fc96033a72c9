import type { z } from "zod";
import { domainOf } from "../../message/address/addr-spec.ts";
import { isAccountDisabled } from "../../platform/accounts/disabled-accounts.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Queryable } from "../../platform/db/types.ts";
import {
  addressKey,
  type EmailAddress,
  envelopeAddress,
  parseEmailAddress,
  readRecipient,
} from "../addresses/email-address.ts";
import { withoutSubaddress } from "../addresses/local-part.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import { isReverseAddress, resolveReverse } from "../contacts/resolve-reverse.ts";
import type { Resolution, Route } from "../contract.ts";
import { isStorageFull } from "../owners/full-storage.ts";
import { type PatternRoute, patternRoutes } from "../patterns/pattern-routes.ts";
import { addRules } from "../rules/route-rules.ts";
import { suspensionDeferredDays } from "../targets/target-states.ts";
import type { RefusalCounter } from "./refusal-counter.ts";

type ResolvedAddress = z.output<typeof Resolution>;

interface RouteRow {
  position: number;
  isServed: boolean;
  id: string | null;
  ownerId: string;
  isAccountDisabled: boolean;
  proxyAddress: string;
  callbackUrl: string;
  isBrowsable: boolean;
  isStorageFull: boolean;
  answers: boolean;
  hasBlockedContacts: boolean;
  hasRules: boolean;
  /** Of each kind of real address those that there are. */
  targets: RowTarget[] | null;
  others: SkippedTarget[] | null;
  isInternal: boolean | null;
  suspendedAt: Date | null;
  isSuspendedRecently: boolean | null;
}

interface RowTarget {
  addressId: string;
  address: string;
}

type SkippedTarget = z.output<typeof Route>["skippedTargets"][number];

const askedAddresses = recordSet({ key: "text", baseKey: "text", domain: "text" });

/**
 * Each address takes two lookups in one unique index, for any number of bindings: the address itself, and the address
 * without its subaddress. The exact match wins. On a domain of an account's own only bindings of the account count that has
 * proved it.
 */
const routes = `
  select asked.position, binding.*, target.*, asked.domain = $1 or holder.id is not null as is_served, suspended_at, suspended_at > now() - make_interval(days => $2) as is_suspended_recently
    from ${askedAddresses.fromOrdered("asked", 3)}
    left join lateral (
      select owner_id as id from domain
       where asked.domain <> $1 and name = asked.domain and state in ('verified', 'broken')) as holder on true
    left join lateral (
      select id, owner_id, ${isAccountDisabled("binding.owner_id")} as is_account_disabled, proxy_address, callback_url, is_browsable,
             answers, answers and exists (select from contact where binding_id = binding.id and blocked_at is not null) as has_blocked_contacts,
             ${isStorageFull("binding.owner_id")} as is_storage_full,
             exists (select from rule where rule.owner_id = binding.owner_id) as has_rules
        from binding
       where proxy_address_key in (asked.key, asked.base_key) and (asked.domain = $1 or binding.owner_id = holder.id)
       order by proxy_address_key = asked.key desc limit 1) as binding on true
    left join lateral (
      select json_agg(json_build_object('addressId', real.id, 'address', address) order by real.id)
               filter (where is_enabled and not is_internal and verified_at is not null) as targets,
             json_agg(json_build_object('addressId', real.id, 'address', address, 'reason', case
               when is_enabled then 'unverified' when suspended_at is null then 'switched-off' else 'suspended' end) order by real.id)
               filter (where not is_internal and not (is_enabled and verified_at is not null)) as others,
             bool_or(is_internal and is_enabled) as is_internal, max(suspended_at) filter (where not is_enabled) as suspended_at
        from real_address as real where binding_id = binding.id) as target on true`;

/**
 * The current route of each address, in the order asked. Mail to `alias+tag@` goes where mail to `alias@` does (RFC 5233
 * subaddressing). What cannot be parsed as an address has no route. Addresses that are the same share one, which is looked up once.
 */
export async function resolveAddresses(
  queryable: Queryable,
  { domains, refusals }: { domains: ServedDomains; refusals: RefusalCounter | undefined },
  addresses: readonly string[],
): Promise<ResolvedAddress[]> {
  const different = [...new Set(addresses)];
  const found = await resolveDifferent(queryable, domains, different);
  const byAddress = new Map(different.map((address, at) => [address, found[at]]));
  const resolved = addresses.map((address) => byAddress.get(address) as ResolvedAddress);
  for (const resolution of resolved)
    if (resolution.outcome === "route" && resolution.route.refusal)
      refusals?.add(resolution.route.bindingId, {
        id: resolution.route.bindingId,
        lastReason: resolution.route.refusal.reason,
      });
  return resolved;
}

async function resolveDifferent(
  queryable: Queryable,
  domains: ServedDomains,
  addresses: readonly string[],
): Promise<ResolvedAddress[]> {
  const reverse = addresses.filter(isReverseAddress);
  const asked = addresses.flatMap((address, position) => {
    if (isReverseAddress(address)) return [];
    const { emailAddress } = readRecipient(address);
    return emailAddress ? [{ address, position, emailAddress }] : [];
  });
  const resolved = addresses.map(
    (address): ResolvedAddress => ({ outcome: isOnDomain(domains.service, address) ? "unknown" : "foreign", address }),
  );
  if (reverse.length > 0) await resolveReverseAddresses(queryable, domains, resolved, reverse);
  if (asked.length === 0) return resolved;
  const found = await routesOf(queryable, domains, asked);
  const unbound = found.flatMap(({ question, row }) =>
    row.id === null && row.isServed && question.emailAddress.domain !== domains.service ? [question] : [],
  );
  const fromPatterns = unbound.length > 0 ? await patternRoutes(queryable, unbound) : new Map<string, PatternRoute>();
  // One that is claimed is a binding's that was removed, or that has been made since the bindings were read.
  const claimed = unbound.filter(({ address }) => fromPatterns.get(address) === "claimed");
  if (claimed.length > 0) found.push(...(await routesOf(queryable, domains, claimed)));
  for (const { question, row } of found) {
    const ofPattern = fromPatterns.get(question.address);
    resolved[question.position] =
      ofPattern === undefined || ofPattern === "claimed" ? resolutionOf(question.address, row) : ofPattern;
  }
  const ruled = found.flatMap(({ row: { hasRules, ownerId } }) => (hasRules ? [ownerId] : []));
  const ruledOwners = new Set([...ruled, ...[...fromPatterns.values()].flatMap(ownerOf)]);
  await addRules(queryable, resolved, ruledOwners);
  return resolved;
}

interface Question {
  readonly address: string;
  readonly position: number;
  readonly emailAddress: EmailAddress;
}

async function routesOf(queryable: Queryable, domains: ServedDomains, asked: readonly Question[]) {
  const { rows } = await queryable.query<RouteRow>(
    routes,
    [
      domains.service,
      suspensionDeferredDays,
      ...askedAddresses.params(
        asked.map(({ emailAddress }) => ({ ...keysOf(emailAddress, domains), domain: emailAddress.domain })),
      ),
    ],
    { name: "bindings.resolve" },
  );
  return rows.flatMap((row) => {
    const question = asked[row.position - 1];
    return question ? [{ question, row }] : [];
  });
}

function ownerOf(resolution: PatternRoute): string[] {
  return resolution !== "claimed" && resolution.outcome === "route" ? [resolution.route.ownerId] : [];
}

/** Reverse addresses lead to contacts alone, whatever bindings there are. */
async function resolveReverseAddresses(
  queryable: Queryable,
  domains: ServedDomains,
  resolved: ResolvedAddress[],
  addresses: readonly string[],
): Promise<void> {
  const [found, served] = await Promise.all([
    resolveReverse(queryable, addresses),
    domains.served(queryable, [...new Set(addresses.map(domainOf))]),
  ]);
  for (const [position, { address }] of resolved.entries()) {
    if (!isReverseAddress(address)) continue;
    const reverse = found.get(address);
    const holder = served.get(domainOf(address));
    const outcome = holder === undefined ? "foreign" : "unknown";
    // On a domain of an account's own, that account's alone.
    const isHolders = holder === null || holder?.ownerId === reverse?.ownerId;
    resolved[position] =
      reverse && holder !== undefined && isHolders ? { outcome: "reverse", address, reverse } : { outcome, address };
  }
}

function resolutionOf(address: string, row: RouteRow): ResolvedAddress {
  if (row.id === null) return { outcome: row.isServed ? "unknown" : "foreign", address };
  const { id: bindingId, ownerId, proxyAddress, callbackUrl, isBrowsable, isStorageFull } = row;
  const { answers, hasBlockedContacts } = row;
  const targets = envelopeTargets(row.targets);
  // Mail that is kept, called back or sent to a reserved internal address reaches its owner.
  const isLive = targets.length > 0 || callbackUrl !== "" || isBrowsable || row.isInternal === true;
  const [unverifiedTargets, skippedTargets] = othersOf(row, isLive);
  const refusal = refusalOf(row, isLive || unverifiedTargets.length > 0);
  const settings = {
    callbackUrl,
    isBrowsable,
    isStorageFull,
    answers,
    hasBlockedContacts,
    rules: [],
    newAddress: null,
  };
  const route = { bindingId, ownerId, proxyAddress, targets, ...settings, unverifiedTargets, skippedTargets, refusal };
  return { outcome: "route", address, route };
}

function refusalOf(row: RouteRow, isTaken: boolean): z.output<typeof Route>["refusal"] {
  if (row.isAccountDisabled) return { reason: "account-disabled", isTemporary: false };
  if (isTaken) return null;
  if (row.suspendedAt === null) return { reason: "switched-off", isTemporary: false };
  return { reason: "suspended", isTemporary: row.isSuspendedRecently === true };
}

/** Those that mail is held for, where nothing else takes it, and those that do not get it. */
function othersOf({ others }: RouteRow, isLive: boolean): [RowTarget[], SkippedTarget[]] {
  const isHeldFor = ({ reason }: SkippedTarget) => !isLive && reason === "unverified";
  const inEnvelopeForm = (others ?? []).map((each) => ({ ...each, address: envelopeForm(each.address) }));
  return [
    inEnvelopeForm.filter(isHeldFor).map(({ addressId, address }) => ({ addressId, address })),
    inEnvelopeForm.filter((each) => !isHeldFor(each)),
  ];
}

function envelopeTargets(targets: readonly RowTarget[] | null): RowTarget[] {
  return (targets ?? []).map(({ addressId, address }) => ({ addressId, address: envelopeForm(address) }));
}

/** On a domain of an account's own abuse@ leads where postmaster@ does. */
function keysOf(
  { key, localPart, domain }: EmailAddress,
  { service }: ServedDomains,
): { key: string; baseKey: string } {
  const baseKey = addressKey(withoutSubaddress(localPart), domain);
  if (domain === service || baseKey !== `abuse@${domain}`) return { key, baseKey };
  return { key: `postmaster@${domain}`, baseKey: `postmaster@${domain}` };
}

function envelopeForm(address: string): string {
  const { emailAddress, fault } = parseEmailAddress(address);
  if (!emailAddress) throw new Error(`a real address that was taken once ${fault}`);
  return envelopeAddress(emailAddress);
}

/** Whether something that is no valid address ends in a domain all the same. */
function isOnDomain(domain: string, address: string): boolean {
  return domainOf(address) === domain;
}
