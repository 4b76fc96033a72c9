import { asciiDomain } from "../../message/address/domain-name.ts";
import { invalidField } from "../../platform/errors.ts";
import { Moment } from "../../platform/rpc/moment.ts";
import { isScope, type Scope, scopes } from "../../platform/security/scopes.ts";
import { checkCredentialName, hasControl } from "../credential-name.ts";

const maxTargets = 50;
/** An address has no more characters. */
const maxTargetCharacters = 254;

/** The input of createApiKey. */
export interface ApiKeyInput {
  name: string;
  scopes: readonly string[];
  domain?: string | null | undefined;
  targetIds?: readonly string[] | null | undefined;
  /** ISO 8601. */
  expiresAt?: string | null | undefined;
}

/** The same, validated. */
export interface CheckedInput {
  name: string;
  scopes: Scope[];
  domain: string | null;
  targetIds: string[];
  expiresAt: Date | null;
}

/** @throws Refusal ValidationFailed naming the field */
export function checkKeyInput({ name, scopes: given, domain, targetIds, expiresAt }: ApiKeyInput): CheckedInput {
  return {
    name: checkCredentialName(name),
    scopes: checkScopes(given),
    domain: domain == null || domain.trim() === "" ? null : checkDomain(domain),
    targetIds: checkTargets(targetIds ?? []),
    expiresAt: expiresAt == null ? null : checkExpiry(expiresAt),
  };
}

function checkScopes(given: readonly string[]): Scope[] {
  const known = [...new Set(given)].filter(isScope);
  if (known.length === 0 || given.some((scope) => !isScope(scope)))
    throw invalidField("scopes", `must be one or more of ${scopes.join(", ")}.`);
  return known;
}

function checkDomain(domain: string): string {
  const name = asciiDomain(domain.trim().replace(/\.$/, ""));
  if (name === undefined) throw invalidField("domain", "must be the name of a domain.");
  return name;
}

function checkTargets(targetIds: readonly string[]): string[] {
  const isUsable = (id: string) => id !== "" && id.length <= maxTargetCharacters && !hasControl(id);
  if (targetIds.length > maxTargets || !targetIds.every(isUsable))
    throw invalidField("targetIds", `must be at most ${maxTargets} ids of targets.`);
  return [...new Set(targetIds)];
}

function checkExpiry(expiresAt: string): Date {
  const { data } = Moment.safeParse(expiresAt);
  const moment = data === undefined ? undefined : new Date(data);
  if (!moment || moment.getTime() <= Date.now())
    throw invalidField("expiresAt", "must be a moment to come, as ISO 8601.");
  return moment;
}
