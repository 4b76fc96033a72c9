import { newReverseToken } from "../../message/address/reverse-address.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Queryable } from "../../platform/db/types.ts";
import { newId } from "../../platform/ids.ts";
import type { EmailAddress } from "../addresses/email-address.ts";

const newContacts = recordSet({
  id: "uuid",
  bindingId: "uuid",
  address: "text",
  key: "text",
  name: "text",
  token: "text",
  received: "integer",
  invitesReplies: "boolean",
  lastSeenAt: "timestamptz",
});

/** A contact to be made where the binding does not know the address. */
export interface NewContact {
  readonly bindingId: string;
  readonly emailAddress: EmailAddress;
  readonly name: string;
  /** Emails that came from it just now. */
  readonly received?: number;
  readonly seenAt?: Date;
  /** A message named it as where replies go. */
  readonly invitesReplies?: boolean;
}

/** One that was not there before. */
export interface MadeContact {
  readonly id: string;
  readonly ownerId: string;
}

/**
 * Makes the contacts that are missing, all in one statement, and counts what was received from those that are there. A name that is
 * known stays. Bindings that are gone get none, and the proxy address itself gets none by mail, though anybody may write in its
 * name. No (binding, address) may stand there twice.
 * @returns those that it made
 */
export async function insertContacts(
  queryable: Queryable,
  contacts: readonly NewContact[],
  madeBy: "mail" | "owner",
): Promise<MadeContact[]> {
  if (contacts.length === 0) return [];
  const given = contacts.map(
    ({ bindingId, emailAddress, name, received = 0, seenAt = new Date(), invitesReplies = false }) => ({
      id: newId(),
      bindingId,
      address: emailAddress.spelling,
      key: emailAddress.key,
      name,
      token: newReverseToken(),
      received,
      invitesReplies,
      lastSeenAt: seenAt,
    }),
  );
  const { rows } = await queryable.query<MadeContact>(
    `insert into contact as known (id, owner_id, binding_id, address, address_key, name, token, made_by, received, invites_replies, last_seen_at)
     select given.id, binding.owner_id, binding.id, given.address, given.key, given.name, given.token, $1, given.received, given.invites_replies, given.last_seen_at
       from ${newContacts.from("given", 2)} join binding on binding.id = given.binding_id and ($1 <> 'mail' or proxy_address_key <> given.key)
      order by binding.id, given.key
     on conflict (binding_id, address_key) do update set
       received = known.received + excluded.received, invites_replies = known.invites_replies or excluded.invites_replies, last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at),
       name = case when known.name = '' then excluded.name else known.name end
     returning id, owner_id`,
    [madeBy, ...newContacts.params(given)],
    { name: "contacts.insert" },
  );
  // Those that were there keep their ids.
  const ids = new Set(given.map(({ id }) => id));
  return rows.filter(({ id }) => ids.has(id));
}
