import { asciiDomain } from "../../message/address/domain-name.ts";
import { Refusal } from "../../platform/errors.ts";
import { Moment } from "../../platform/rpc/moment.ts";
import { isScope, type Scope, scopes } from "../../platform/security/scopes.ts";

const longestName = 64;
const mostTargets = 50;
/** An address has no more characters. */
const longestTarget = 254;
/** Controls, NUL among them, and unpaired surrogates. */
const unusable = /[\p{Cc}\p{Cs}]/u;

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
    name: checkName(name),
    scopes: checkScopes(given),
    domain: domain == null || domain.trim() === "" ? null : checkDomain(domain),
    targetIds: checkTargets(targetIds ?? []),
    expiresAt: expiresAt == null ? null : checkExpiry(expiresAt),
  };
}

function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === "" || trimmed.length > longestName || unusable.test(trimmed))
    throw invalid("name", `must have 1 to ${longestName} characters, and no control characters.`);
  return trimmed;
}

function checkScopes(given: readonly string[]): Scope[] {
  const known = [...new Set(given)].filter(isScope);
  if (known.length === 0 || given.some((scope) => !isScope(scope)))
    throw invalid("scopes", `must be one or more of ${scopes.join(", ")}.`);
  return known;
}

function checkDomain(domain: string): string {
  const name = asciiDomain(domain.trim().replace(/\.$/, ""));
  if (name === undefined) throw invalid("domain", "must be the name of a domain.");
  return name;
}

function checkTargets(targetIds: readonly string[]): string[] {
  const isUsable = (id: string) => id !== "" && id.length <= longestTarget && !unusable.test(id);
  if (targetIds.length > mostTargets || !targetIds.every(isUsable))
    throw invalid("targetIds", `must be at most ${mostTargets} ids of targets.`);
  return [...new Set(targetIds)];
}

function checkExpiry(expiresAt: string): Date {
  const { data } = Moment.safeParse(expiresAt);
  const moment = data === undefined ? undefined : new Date(data);
  if (!moment || moment.getTime() <= Date.now()) throw invalid("expiresAt", "must be a moment to come, as ISO 8601.");
  return moment;
}

function invalid(field: string, fault: string): Refusal {
  return new Refusal("ValidationFailed", { field, public: fault });
}
