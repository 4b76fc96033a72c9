import type { z } from "zod";
import { domainOf } from "../../message/address/addr-spec.ts";
import { formatReverseAddress } from "../../message/address/reverse-address.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Database } from "../../platform/db/types.ts";
import { addressKey, type EmailAddress, readRecipient, withLowerCaseDomain } from "../addresses/email-address.ts";
import { withoutSubaddress } from "../addresses/local-part.ts";
import type { bindingsContract } from "../contract.ts";
import { contactName } from "./contact-name.ts";
import type { ReverseMapping } from "./contract.ts";
import { insertContacts } from "./insert-contacts.ts";

type Named = z.output<typeof bindingsContract.procedures.reverseAddresses.input>["mailboxes"][number];
type Mapping = z.output<typeof ReverseMapping>;

const askedKeys = recordSet({ key: "text", baseKey: "text" });

/** New contacts of one message at most. */
const maxNewContacts = 50;

interface KnownRow {
  key: string;
  token: string | null;
  isOwn: boolean;
  invitesReplies: boolean | null;
  proxyAddress: string;
}

/**
 * What stands for each address on the owner's side, in the order given. Of the first 50 the missing contacts are made, in one statement:
 * at another attempt the answer is the same. An address that cannot be written to has none. Nothing is made of a binding that is gone.
 * A real address of the owner is a contact like any other: whoever guessed it would learn from an exception that the guess was right.
 */
export async function mapToReverseAddresses(
  db: Database,
  bindingId: string,
  mailboxes: readonly Named[],
): Promise<Mapping[]> {
  const read = mailboxes.map(({ address, name, invitesReplies = false }) => {
    const { emailAddress } = readRecipient(address);
    return {
      address,
      invitesReplies,
      name: contactName(name),
      emailAddress: emailAddress && withLowerCaseDomain(emailAddress),
    };
  });
  const byKey = new Map(
    read.flatMap((each) =>
      each.emailAddress ? [[each.emailAddress.key, { ...each, emailAddress: each.emailAddress }] as const] : [],
    ),
  );
  const before = await findContacts(
    db,
    bindingId,
    [...byKey.values()].map(({ emailAddress }) => emailAddress),
  );
  const made = [...byKey]
    .filter(([key]) => before.get(key)?.isOwn === false)
    .slice(0, maxNewContacts)
    .filter(([key, { invitesReplies }]) => {
      const known = before.get(key);
      return known?.token === null || (invitesReplies && known?.invitesReplies === false);
    })
    .map(([, { emailAddress, name, invitesReplies }]) => ({ bindingId, emailAddress, name, invitesReplies }));
  await insertContacts(db, made, "mail");
  const known =
    made.length > 0
      ? await findContacts(
          db,
          bindingId,
          [...byKey.values()].map(({ emailAddress }) => emailAddress),
        )
      : before;
  return read.map(({ address, emailAddress }) => {
    const row = emailAddress && known.get(emailAddress.key);
    const isOwn = row?.isOwn === true;
    const token = isOwn ? null : (row?.token ?? null);
    return {
      address,
      isOwn,
      reverseAddress: token === null || !row ? null : formatReverseAddress(token, domainOf(row.proxyAddress)),
    };
  });
}

/** Of each address: its contact's token, and whether it is the proxy address (with any subaddress). */
async function findContacts(
  db: Database,
  bindingId: string,
  mailboxes: readonly EmailAddress[],
): Promise<Map<string, KnownRow>> {
  const { rows } = await db.query<KnownRow>(
    `select asked.key, token, invites_replies, proxy_address, proxy_address_key in (asked.key, asked.base_key) as is_own
       from binding cross join ${askedKeys.from("asked", 2)}
       left join contact on contact.binding_id = binding.id and contact.address_key = asked.key
      where binding.id = $1`,
    [
      bindingId,
      ...askedKeys.params(
        mailboxes.map(({ key, localPart, domain }) => ({
          key,
          baseKey: addressKey(withoutSubaddress(localPart), domain),
        })),
      ),
    ],
    { name: "contacts.find" },
  );
  return new Map(rows.map((row) => [row.key, row]));
}
