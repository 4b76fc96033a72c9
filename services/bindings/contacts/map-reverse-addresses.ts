import type { z } from "zod";
import { domainOf } from "../../message/address/addr-spec.ts";
import { formatReverseAddress } from "../../message/address/reverse-address.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Database } from "../../platform/db/types.ts";
import { firstIdAt } from "../../platform/ids.ts";
import { addressKey, type EmailAddress, readRecipient, withLowerCaseDomain } from "../addresses/email-address.ts";
import { withoutSubaddress } from "../addresses/local-part.ts";
import type { bindingsContract } from "../contract.ts";
import { contactName } from "./contact-name.ts";
import type { ReverseMapping } from "./contract.ts";
import { insertContacts } from "./insert-contacts.ts";
import { makeRoom } from "./make-room.ts";

type Request = z.output<typeof bindingsContract.procedures.reverseAddresses.input>;
type Mapping = z.output<typeof ReverseMapping>;

const askedKeys = recordSet({ key: "text", baseKey: "text" });

/** New contacts of one message at most. */
const maxNewContacts = 50;
/** The clock that says when a message came and ours may be so far apart: contacts made that long before it are among its new ones. */
const clockDifferenceMs = 2_000;

interface KnownRow {
  key: string;
  token: string | null;
  isOwn: boolean;
  /** No contact yet, or one that was made since the message came, or just before. */
  isNew: boolean;
  invitesReplies: boolean | null;
  proxyAddress: string;
}

/**
 * What stands for each address on the owner's side, in the order given; the contract bounds how many are looked up. Of those who were
 * no contacts when the message came the first 50 are made: another attempt, which finds contacts of the one before, gives the same.
 * An address that cannot be written to has none. Nothing is made of a binding that is gone.
 * `quota` bounds how many the account has. A real address of the owner is a contact like any other: whoever guessed it would learn from an exception that the guess was right.
 */
export async function mapToReverseAddresses(
  db: Database,
  quota: number,
  { bindingId, receivedAt, mailboxes }: Request,
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
  const addresses = [...byKey.values()].map(({ emailAddress }) => emailAddress);
  const find = () => findContacts(db, bindingId, new Date(receivedAt), addresses);
  const before = await find();
  const contactable = [...byKey].filter(([key]) => before.get(key)?.isOwn === false);
  const isNew = ([key]: [string, unknown]) => before.get(key)?.isNew === true;
  const admitted = [
    ...contactable.filter(isNew).slice(0, maxNewContacts),
    ...contactable.filter((each) => !isNew(each)),
  ];
  const changed = admitted
    .filter(([key, { invitesReplies }]) => {
      const known = before.get(key);
      return known?.token === null || (invitesReplies && known?.invitesReplies === false);
    })
    .map(([, { emailAddress, name, invitesReplies }]) => ({ bindingId, emailAddress, name, invitesReplies }));
  await makeRoom(db, await insertContacts(db, changed, "mail"), quota);
  const known = changed.length > 0 ? await find() : before;
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

/** Of each address: its contact's token, and whether it is the proxy address (with any subaddress). @param since of what is new */
async function findContacts(
  db: Database,
  bindingId: string,
  since: Date,
  mailboxes: readonly EmailAddress[],
): Promise<Map<string, KnownRow>> {
  const { rows } = await db.query<KnownRow>(
    `select asked.key, token, invites_replies, proxy_address, proxy_address_key in (asked.key, asked.base_key) as is_own,
            contact.id is null or contact.id >= $2 as is_new
       from binding cross join ${askedKeys.from("asked", 3)}
       left join contact on contact.binding_id = binding.id and contact.address_key = asked.key
      where binding.id = $1`,
    [
      bindingId,
      firstIdAt(new Date(since.getTime() - clockDifferenceMs)),
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
