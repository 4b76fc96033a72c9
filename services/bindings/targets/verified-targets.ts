import type { Queryable } from "../../platform/db/types.ts";
import { invalidField } from "../../platform/errors.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import { checkAddress } from "../validation.ts";

interface GivenTargets {
  readonly ownerId: string;
  readonly targets: readonly string[];
  /** How the input names the one at a place. */
  fieldOf(place: number): string;
}

/** Mail goes there at once, so each has been proved before, and is not served here. @returns each once @throws Refusal ValidationFailed */
export async function checkVerifiedTargets(
  db: Queryable,
  domains: ServedDomains,
  { ownerId, targets, fieldOf }: GivenTargets,
): Promise<string[]> {
  const kept = new Map<string, string>();
  for (const [place, target] of targets.entries()) {
    const field = fieldOf(place);
    const { key, domain } = checkAddress(field, target);
    if ((await domains.served(db, [domain])).has(domain))
      throw invalidField(field, "the address is one of the service itself, and mail cannot be forwarded to it.");
    const { rowCount } = await db.query(
      `select from real_address where owner_id = $1 and address_key = $2 and verified_at is not null
       union all select from owner where id = $1 and own_address_key = $2 and own_address_verified_at is not null`,
      [ownerId, key],
    );
    if (rowCount === 0) throw invalidField(field, "the address is no real address of yours that is verified.");
    if (!kept.has(key)) kept.set(key, target);
  }
  return [...kept.values()];
}
