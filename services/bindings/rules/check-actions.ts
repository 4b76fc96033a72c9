import type { z } from "zod";
import type { Queryable } from "../../platform/db/types.ts";
import { invalidField } from "../../platform/errors.ts";
import { parseEmailAddress } from "../addresses/email-address.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import type { KeyRestrictions } from "../key-restrictions/key-restrictions.ts";
import { checkVerifiedTargets } from "../targets/verified-targets.ts";
import { checkText } from "../validation.ts";
import { type RuleActions, ruleLimits } from "./contract.ts";

type Actions = z.output<typeof RuleActions>;

/** Each says where a message goes: a rule has one of them at most. */
const endings = ["refuse", "discard", "forwardTo", "callbackOnly", "keepOnly"] as const;

/** What is off or empty is left out. @throws Refusal ValidationFailed naming the action */
export function checkActions(given: Actions): Actions {
  const { tagSubject, limitPerHour, forwardTo } = given;
  const actions = Object.fromEntries(Object.entries(given).filter(([, value]) => isOn(value))) as Actions;
  const [first, second] = endings.filter((name) => actions[name] !== undefined);
  if (second) throw invalidField(`actions.${second}`, `cannot be beside ${first}.`);
  if (actions.tagSubject !== undefined) {
    if (actions.refuse || actions.discard) throw invalidField("actions.tagSubject", "is for mail that is forwarded.");
    actions.tagSubject = checkTag(tagSubject ?? "");
  }
  if (limitPerHour !== undefined && (limitPerHour < 0 || limitPerHour > ruleLimits.perHour))
    throw invalidField("actions.limitPerHour", `must be from 0 to ${ruleLimits.perHour}.`);
  if (limitPerHour !== undefined && actions.refuse)
    throw invalidField("actions.limitPerHour", "cannot be beside refuse.");
  if ((forwardTo?.length ?? 0) > ruleLimits.forwardTo)
    throw invalidField("actions.forwardTo", `has more than ${ruleLimits.forwardTo} addresses.`);
  return actions;
}

interface Forwarding {
  readonly domains: ServedDomains;
  readonly ownerId: string;
  readonly restrictions: KeyRestrictions;
  /** The rule as it was; undefined for a new one. */
  readonly former: { readonly actions: Actions } | undefined;
}

/** Mail goes there at once, so each has been proved before, but for those that the rule had already, and is not served here. @throws Refusal ValidationFailed, Forbidden out of a key's restrictions */
export async function checkForwarding(
  db: Queryable,
  { domains, ownerId, restrictions, former }: Forwarding,
  actions: Actions,
): Promise<Actions> {
  if (!actions.forwardTo) return actions;
  const forwardTo = await checkVerifiedTargets(db, domains, {
    ownerId,
    targets: actions.forwardTo,
    former: former?.actions.forwardTo ?? [],
    fieldOf: (place) => `actions.forwardTo[${place}]`,
  });
  restrictions.checkTargets(
    forwardTo.flatMap((address) => parseEmailAddress(address).emailAddress ?? []),
    undefined,
  );
  return { ...actions, forwardTo };
}

function isOn(value: unknown): boolean {
  if (typeof value === "string" || Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== false;
}

function checkTag(given: string): string {
  const field = "actions.tagSubject";
  const tag = checkText(field, given, ruleLimits.tagCharacters).trim();
  if (tag === "") throw invalidField(field, "is empty.");
  if (/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(tag))
    throw invalidField(field, "has a line end or another character that is not shown.");
  return tag;
}
