import type { Database } from "../../platform/db/types.ts";
import { isId } from "../../platform/ids.ts";
import { readMailbox } from "../addresses/mailbox.ts";
import type { VerificationLinks } from "../verification/links.ts";

/** Removes a callback URL that answered 410, unless the owner has set another meanwhile. */
export async function switchOffCallback(db: Database, bindingId: string, callbackUrl: string): Promise<void> {
  if (!isId(bindingId) || callbackUrl === "" || callbackUrl.includes("\0")) return;
  await db.query(
    "update binding set callback_url = '', updated_at = clock_timestamp() where id = $1 and callback_url = $2",
    [bindingId, callbackUrl],
  );
}

/** Switches an address off in every binding of the account, until the owner enables it again by the link or by a change. */
export async function disableRealAddress(
  db: Database,
  links: VerificationLinks,
  ownerId: string,
  address: string,
): Promise<{ enableLink: string | null }> {
  const { mailbox } = readMailbox(address);
  if (!mailbox || !isId(ownerId)) return { enableLink: null };
  return db.tx(async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `with disabled as (
         update real_address set is_enabled = false where owner_id = $1 and address_key = $2 returning id, binding_id),
       touched as (
         update binding set updated_at = clock_timestamp() where id in (select binding_id from disabled))
       select id from disabled order by id limit 1`,
      [ownerId, mailbox.key],
    );
    const [first] = rows;
    return { enableLink: first ? await links.makeEnabling(tx, first.id) : null };
  });
}
