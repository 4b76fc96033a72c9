import type { Queryable } from "../../platform/db/types.ts";
import { invalidField } from "../../platform/errors.ts";
import { parseEmailAddress } from "../addresses/email-address.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import { checkAddress } from "../validation.ts";
import { provedAt } from "./proved-at.ts";

interface GivenTargets {
  readonly ownerId: string;
  readonly targets: readonly string[];
  /** What is changed led there before: those stay, whether they are proved or not, since no mail goes to one that is not. */
  readonly former?: readonly string[];
  /** How the input names the one at a place. */
  fieldOf(place: number): string;
}

/** Mail goes there at once, so each that is new has been proved before, and none is served here or internal. @returns each once @throws Refusal ValidationFailed */
export async function checkVerifiedTargets(
  db: Queryable,
  domains: ServedDomains,
  { ownerId, targets, former = [], fieldOf }: GivenTargets,
): Promise<string[]> {
  const present = new Set(former.map((target) => parseEmailAddress(target).emailAddress?.key));
  const kept = new Map<string, string>();
  for (const [place, target] of targets.entries()) {
    const field = fieldOf(place);
    const { key, domain } = checkAddress(field, target);
    if ((await domains.served(db, [domain])).has(domain))
      throw invalidField(field, "the address is one of the service itself, and mail cannot be forwarded to it.");
    checkForwardable(domains, field, domain);
    if (!present.has(key) && !(await isProved(db, ownerId, key)))
      throw invalidField(field, "the address is no real address of yours that is verified.");
    if (!kept.has(key)) kept.set(key, target);
  }
  return [...kept.values()];
}

/** What a pattern or a rule leads to is no internal address: nothing is forwarded there. @throws Refusal ValidationFailed */
export function checkForwardable(domains: ServedDomains, field: string, domain: string): void {
  if (domains.isInternal(domain))
    throw invalidField(field, "the address is an internal one, and patterns and rules cannot forward mail to it.");
}

async function isProved(db: Queryable, ownerId: string, key: string): Promise<boolean> {
  const { rows } = await db.query<{ isProved: boolean }>(
    `select ${provedAt("$1::uuid", "$2::text")} is not null as is_proved`,
    [ownerId, key],
  );
  return rows[0]?.isProved === true;
}
