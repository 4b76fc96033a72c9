import type { Transaction } from "../../platform/db/types.ts";
import { invalidField, Refusal } from "../../platform/errors.ts";
import { ruleLimits } from "./contract.ts";

/**
 * Holds the rules of an account, as they are now, to what a message may have to be compared with. The owner is locked.
 * @throws Refusal QuotaExceeded, ValidationFailed
 */
export async function checkRuleQuota(tx: Transaction, ownerId: string): Promise<void> {
  const { rows } = await tx.query<{ inAll: number; perRoute: number; characters: number }>(
    `with own as (
       select binding_id, domain_id, count(*) as count, sum(length(conditions::text) + length(actions::text) + length(name)) as characters
         from rule where owner_id = $1 group by binding_id, domain_id),
     narrow as (
       select own.count + coalesce(of_domain.count, 0) as count
         from own left join binding on binding.id = own.binding_id
         left join domain on domain.owner_id = $1 and domain.name = binding.own_domain
         left join own as of_domain on of_domain.domain_id = domain.id
        where num_nonnulls(own.binding_id, own.domain_id) > 0)
     select coalesce(sum(count), 0)::int as in_all, coalesce(max(characters), 0)::int as characters,
            (coalesce(max(count) filter (where num_nonnulls(binding_id, domain_id) = 0), 0) + coalesce((select max(count) from narrow), 0))::int
              as per_route
       from own`,
    [ownerId],
  );
  const { inAll = 0, perRoute = 0, characters = 0 } = rows[0] ?? {};
  if (perRoute > ruleLimits.perRoute)
    throw new Refusal("QuotaExceeded", {
      public: `No more than ${ruleLimits.perRoute} rules can be for one address, those of its domain and of the account included.`,
    });
  if (inAll > ruleLimits.perAccount)
    throw new Refusal("QuotaExceeded", {
      public: `No more than ${ruleLimits.perAccount} rules are available to an account.`,
    });
  if (characters > ruleLimits.charactersPerScope)
    throw invalidField(
      "conditions",
      `have more than ${ruleLimits.charactersPerScope} characters, with those of the rules beside it.`,
    );
}
