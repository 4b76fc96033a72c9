import { recordSet } from "../../platform/db/record-set.ts";
import type { Queryable } from "../../platform/db/types.ts";
import { parseEmailAddress } from "../addresses/email-address.ts";

/** Mail to suspended addresses is deferred for this long, for the owner may enable them, and refused afterwards. */
export const suspensionDeferredDays = 3;

/** A target of a pattern or a rule as it stands now. */
export interface TargetState {
  /** It is verified, and switched on, in a binding or as the account's own address. */
  readonly isLive: boolean;
  /** It is switched on in a binding, and yet to be verified. */
  readonly isUnverified: boolean;
  readonly isSuspended: boolean;
  readonly isSuspendedRecently: boolean;
}

const askedTargets = recordSet({ ownerId: "uuid", key: "text" });

const states = `
  select asked.position,
         coalesce(known.is_verified, false) or known.suspended_at is null and exists (
           select from owner where id = asked.owner_id and own_address_key = asked.key and own_address_verified_at is not null) as is_live,
         coalesce(known.is_unverified, false) as is_unverified, known.suspended_at is not null as is_suspended,
         coalesce(known.suspended_at > now() - make_interval(days => $1), false) as is_suspended_recently
    from ${askedTargets.fromOrdered("asked", 2)}
    cross join lateral (
      select bool_or(is_enabled and verified_at is not null) as is_verified,
             bool_or(is_enabled and verified_at is null and not is_internal) as is_unverified,
             max(suspended_at) filter (where not is_enabled) as suspended_at
        from real_address where owner_id = asked.owner_id and address_key = asked.key) as known`;

/** Of each target of an account, its state: patterns and rules keep what was proved when they were set, and the proof may be gone. */
export async function targetStates(
  queryable: Queryable,
  targets: readonly { ownerId: string; target: string }[],
): Promise<(ownerId: string, target: string) => TargetState> {
  const asked = targets.map(({ ownerId, target }) => ({ ownerId, key: keyOf(target) }));
  const { rows } =
    asked.length === 0
      ? { rows: [] }
      : await queryable.query<TargetState & { position: number }>(
          states,
          [suspensionDeferredDays, ...askedTargets.params(asked)],
          { name: "bindings.pattern_targets" },
        );
  const known = new Map(
    rows.map((row) => {
      const { ownerId = "", key = "" } = asked[row.position - 1] ?? {};
      return [`${ownerId} ${key}`, row];
    }),
  );
  const gone = { isLive: false, isUnverified: false, isSuspended: false, isSuspendedRecently: false };
  return (ownerId, target) => known.get(`${ownerId} ${keyOf(target)}`) ?? gone;
}

function keyOf(target: string): string {
  return parseEmailAddress(target).emailAddress?.key ?? target;
}
