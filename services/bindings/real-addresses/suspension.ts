import type { z } from "zod";
import type { Database } from "../../platform/db/types.ts";
import { parseEmailAddress } from "../addresses/email-address.ts";
import type { bindingsContract } from "../contract.ts";
import type { VerificationLinks } from "../verification/links.ts";

type Decision = z.output<typeof bindingsContract.procedures.disableRealAddress.input>;

/**
 * Disables an address in every binding of the account, until the owner enables it again by the link or by a change. A decision
 * of before the address was last disabled changes nothing.
 */
export async function disableRealAddress(
  db: Database,
  links: VerificationLinks,
  { ownerId, address, decidedAt = new Date().toISOString() }: Decision,
): Promise<{ enableLink: string | null; isNew: boolean }> {
  const nothing = { enableLink: null, isNew: false };
  const { emailAddress } = parseEmailAddress(address);
  if (!emailAddress) return nothing;
  return db.tx(async (tx) => {
    await tx.query(
      `with disabled as (
         update real_address set is_enabled = false, suspended_at = greatest(now(), $3)
          where owner_id = $1 and address_key = $2 and is_enabled returning binding_id)
       update binding set updated_at = clock_timestamp() where id in (select binding_id from disabled)`,
      [ownerId, emailAddress.key, decidedAt],
    );
    // By this very decision, in this call or in one before whose answer was lost.
    const { rows } = await tx.query<{ id: string }>(
      `select id from real_address where owner_id = $1 and address_key = $2 and not is_enabled and suspended_at >= $3
        order by id limit 1`,
      [ownerId, emailAddress.key, decidedAt],
    );
    return rows[0] ? { enableLink: await links.makeEnabling(tx, rows[0].id), isNew: true } : nothing;
  });
}
