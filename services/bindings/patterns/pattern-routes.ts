import type { z } from "zod";
import { isAccountDisabled } from "../../platform/accounts/disabled-accounts.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Queryable } from "../../platform/db/types.ts";
import { addressDigest } from "../addresses/allocation.ts";
import { addressKey, type EmailAddress } from "../addresses/email-address.ts";
import { localPartKey, withoutSubaddress } from "../addresses/local-part.ts";
import { isReservedOnOwnDomain } from "../addresses/reserved-names.ts";
import { isSingleScript } from "../addresses/scripts.ts";
import type { Resolution, Route } from "../contract.ts";
import { derivedId } from "../derived-id.ts";
import { isStorageFull } from "../owners/full-storage.ts";
import { type TargetState, targetStates } from "../targets/target-states.ts";
import { Glob } from "./glob.ts";
import { type NewAddressCounts, newAddressCounts, remainingNewAddresses } from "./new-addresses.ts";

type ResolvedAddress = z.output<typeof Resolution>;

/** An address on a domain that somebody has proved, without a binding. */
interface Unbound {
  readonly address: string;
  readonly emailAddress: EmailAddress;
}

interface Pattern {
  glob: string;
  targets: string[];
  creates: boolean;
  perHour: number;
}

interface DomainRow extends NewAddressCounts {
  position: number;
  id: string;
  ownerId: string;
  epoch: number;
  isAccountDisabled: boolean;
  isStorageFull: boolean;
  patterns: Pattern[];
}

type StateOf = (ownerId: string, target: string) => TargetState;

const askedDomains = recordSet({ name: "text" });

const domainsWithPatterns = `
  select asked.position, domain.id, domain.owner_id, domain.epoch, ${isAccountDisabled("domain.owner_id")} as is_account_disabled,
         ${isStorageFull("domain.owner_id")} as is_storage_full,
         pattern.all as patterns, counts.*
    from ${askedDomains.fromOrdered("asked")}
    join domain on domain.name = asked.name and state in ('verified', 'broken')
    cross join lateral (
      select json_agg(json_build_object('glob', glob, 'targets', targets, 'creates', creates, 'perHour', per_hour) order by position) as all
        from pattern where domain_id = domain.id) as pattern
    cross join lateral ${newAddressCounts} as counts
   where pattern.all is not null`;

/** `claimed`: the address was allocated, and what becomes of its mail is for its binding to say, if it is there still. */
export type PatternRoute = ResolvedAddress | "claimed";

/**
 * Routes of addresses without a binding that a pattern of their domain takes. Nothing is written: the binding is made once mail was
 * accepted, under the id that the route has.
 */
export async function patternRoutes(
  queryable: Queryable,
  unbound: readonly Unbound[],
): Promise<Map<string, PatternRoute>> {
  const names = [...new Set(unbound.map(({ emailAddress }) => emailAddress.domain))];
  const { rows } = await queryable.query<DomainRow & { position: number }>(
    domainsWithPatterns,
    askedDomains.params(names.map((name) => ({ name }))),
    { name: "bindings.patterns" },
  );
  const domains = new Map(rows.map((row) => [names[row.position - 1], row]));
  const found = unbound.flatMap(({ address, emailAddress }) => {
    const domain = domains.get(emailAddress.domain);
    const pattern = domain && patternFor(domain, emailAddress);
    return domain && pattern ? [{ address, domain, pattern, key: baseKeyOf(emailAddress) }] : [];
  });
  if (found.length === 0) return new Map();
  const digests = found.map(({ key, domain }) => addressDigest(key, domain.epoch));
  const { rows: allocated } = await queryable.query<{ digest: Buffer }>(
    "select digest from address_claim where digest = any ($1)",
    [digests],
  );
  const claimed = new Set(allocated.map(({ digest }) => digest.toString("hex")));
  const isClaimed = (at: number) => claimed.has(digests[at]?.toString("hex") ?? "");
  const alive = found.filter((_, at) => !isClaimed(at));
  const stateOf = await targetStates(
    queryable,
    alive.flatMap(({ domain, pattern }) => pattern.targets.map((target) => ({ ownerId: domain.ownerId, target }))),
  );
  return new Map<string, PatternRoute>([
    ...found.filter((_, at) => isClaimed(at)).map(({ address }) => [address, "claimed"] as const),
    ...alive.map((each) => [each.address, resolve(each, stateOf)] as const),
  ]);
}

function baseKeyOf({ localPart, domain }: EmailAddress): string {
  return addressKey(withoutSubaddress(localPart), domain);
}

/** The first pattern that takes an address, unless it refuses what it takes. */
function patternFor({ patterns }: DomainRow, { localPart }: EmailAddress): Pattern | undefined {
  if (isReservedOnOwnDomain(localPart) || !isSingleScript(localPart)) return undefined;
  const name = localPartKey(withoutSubaddress(localPart));
  const first = patterns.find(({ glob }) => new Glob(glob).matches(name));
  return first?.creates ? first : undefined;
}

interface Found {
  address: string;
  key: string;
  domain: DomainRow;
  pattern: Pattern;
}

function resolve({ address, key, domain, pattern: { targets, perHour } }: Found, stateOf: StateOf): ResolvedAddress {
  const remaining = remainingNewAddresses(domain, perHour);
  if (remaining <= 0) return { outcome: "limited", address };
  const states = targets.map((target) => stateOf(domain.ownerId, target));
  const bindingId = derivedId(domain.id, domain.epoch, key);
  const withState = (isWanted: (state: TargetState) => boolean) =>
    targets.flatMap((address, at) => {
      const state = states[at];
      return state && isWanted(state) ? [{ addressId: derivedId(bindingId, address), address }] : [];
    });
  const live = withState(({ isLive }) => isLive);
  const unverified = withState(({ isLive, isUnverified }) => isUnverified && !isLive);
  const hasNoLiveTarget = live.length === 0;
  const route: z.output<typeof Route> = {
    bindingId,
    ownerId: domain.ownerId,
    proxyAddress: key,
    targets: live,
    callbackUrl: "",
    isBrowsable: targets.length === 0,
    isStorageFull: domain.isStorageFull,
    unverifiedTargets: hasNoLiveTarget ? unverified : [],
    skippedTargets: hasNoLiveTarget ? [] : unverified.map((target) => ({ ...target, reason: "unverified" })),
    answers: false,
    hasBlockedContacts: false,
    rules: [],
    refusal: refusalOf(domain, targets.length === 0 || live.length + unverified.length > 0, states),
    newAddress: { domainId: domain.id, perHour, remaining },
  };
  return { outcome: "route", address, route };
}

/** As for a binding without a target that takes mail. */
function refusalOf(domain: DomainRow, isTaken: boolean, states: readonly TargetState[]) {
  if (domain.isAccountDisabled) return { reason: "account-disabled", isTemporary: false } as const;
  if (isTaken) return null;
  if (!states.some(({ isSuspended }) => isSuspended)) return { reason: "switched-off", isTemporary: false } as const;
  return { reason: "suspended", isTemporary: states.some((each) => each.isSuspendedRecently) } as const;
}
