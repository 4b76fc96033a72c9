import type { z } from "zod";
import { domainOf } from "../../message/address/addr-spec.ts";
import { formatReverseAddress, reverseToken } from "../../message/address/reverse-address.ts";
import type { Database } from "../../platform/db/types.ts";
import { invalidField, Refusal } from "../../platform/errors.ts";
import {
  type EmailAddress,
  envelopeAddress,
  parseEmailAddress,
  withLowerCaseDomain,
} from "../addresses/email-address.ts";
import type { bindingsContract } from "../contract.ts";
import { checkAddress } from "../validation.ts";
import type { SendingAdmission } from "./contract.ts";
import { insertContacts } from "./insert-contacts.ts";
import type { SendingLimits } from "./sending-limits.ts";
import { isSendingPaused } from "./sending-pauses.ts";
import type { SendingPolicy } from "./sending-policy.ts";

type Request = z.output<typeof bindingsContract.procedures.admitSending.input>;
type Admission = z.output<typeof SendingAdmission>;

interface Parts {
  db: Database;
  policy: SendingPolicy;
  limits: SendingLimits;
}

interface BindingRow {
  id: string;
  proxyAddress: string;
  displayName: string;
  isBrowsable: boolean;
  isPaused: boolean;
  sendsEncrypted: boolean;
  realAddresses: { address: string; key: string; isActive: boolean }[];
  ownAddress: string | null;
}

interface ContactRow {
  contactId: string;
  address: string;
  key: string;
  token: string;
  madeBy: "mail" | "owner";
  received: number;
  invitesReplies: boolean;
  sent: number;
  isBlocked: boolean;
}

/**
 * Lets an account write from one of its proxy addresses, and makes the contacts that are missing.
 * @throws Refusal ValidationFailed, SendingNotAllowed, RateLimited; Outage
 */
export async function admitSending({ db, policy, limits }: Parts, request: Request): Promise<Admission> {
  const { ownerId } = request;
  const binding = await findBinding(db, ownerId, withLowerCaseDomain(checkAddress("from", request.from)).key);
  if (binding.isPaused)
    throw new Refusal("RateLimited", { public: "The sending of this account is paused.", retryAfterS: 3_600 });
  const [to, cc, bcc] = (["to", "cc", "bcc"] as const).map((field) => readAddresses(field, request[field], binding));
  const wanted = new Map([...(to ?? []), ...(cc ?? []), ...(bcc ?? [])].map((address) => [address.key, address]));
  if (wanted.size === 0) throw invalidField("to", "must not be empty: a message goes to somebody.");
  const before = new Map((await findContacts(db, binding.id, wanted)).map((contact) => [contact.key, contact]));
  const isBesideWriter = [...before.values()].some(({ received, invitesReplies }) => received > 0 || invitesReplies);
  for (const key of wanted.keys()) await checkAllowed(policy, { ownerId, isBesideWriter }, before.get(key));
  const missing = [...wanted].filter(([key]) => !before.has(key)).map(([, emailAddress]) => emailAddress);
  await insertContacts(
    db,
    missing.map((emailAddress) => ({ bindingId: binding.id, emailAddress, name: "" })),
    "owner",
  );
  const contacts = await findContacts(db, binding.id, wanted);
  for (const { contactId, sent } of contacts)
    if (!(await limits.consume({ ownerId, contactId, isNew: sent === 0, isAutomatic: false })))
      throw new Refusal("RateLimited", { public: "This account has sent enough for now.", retryAfterS: 3_600 });
  const shown = (addresses: readonly EmailAddress[] | undefined) => (addresses ?? []).map(envelopeAddress);
  const { proxyAddress, displayName, isBrowsable, sendsEncrypted, realAddresses, ownAddress } = binding;
  return {
    bindingId: binding.id,
    proxyAddress,
    displayName,
    isBrowsable,
    sendsEncrypted,
    realAddresses: [...new Set(realAddresses.map(({ address }) => address))],
    author: realAddresses.find(({ isActive }) => isActive)?.address ?? ownAddress ?? "",
    to: shown(to),
    cc: shown(cc),
    recipients: contacts.map(({ contactId, address, token }) => {
      const { emailAddress } = parseEmailAddress(address);
      return {
        contactId,
        address: emailAddress ? envelopeAddress(emailAddress) : address,
        reverseAddress: formatReverseAddress(token, domainOf(proxyAddress)),
      };
    }),
  };
}

async function findBinding(db: Database, ownerId: string, key: string): Promise<BindingRow> {
  const { rows } = await db.query<BindingRow>(
    `select binding.id, proxy_address, display_name, is_browsable, sends_encrypted, ${isSendingPaused("binding.owner_id")} as is_paused,
            (select own_address from owner where owner.id = binding.owner_id) as own_address,
            (select coalesce(json_agg(json_build_object('address', real.address, 'key', address_key,
                      'isActive', binding_id = binding.id and is_enabled and verified_at is not null) order by real.id), '[]')
               from real_address as real where real.owner_id = binding.owner_id and not is_internal) as real_addresses
       from binding where proxy_address_key = $1 and owner_id = $2`,
    [key, ownerId],
    { name: "contacts.sending_binding" },
  );
  if (!rows[0]) throw invalidField("from", "must be a proxy address of yours.");
  return rows[0];
}

function readAddresses(field: string, addresses: readonly string[], { realAddresses }: BindingRow): EmailAddress[] {
  return addresses.map((address, at) => {
    const named = `${field}[${at}]`;
    const read = withLowerCaseDomain(checkAddress(named, address));
    if (reverseToken(address) !== undefined) throw invalidField(named, "is a reverse address: give the contact's own.");
    if (realAddresses.some(({ key }) => key === read.key)) throw invalidField(named, "is a real address of your own.");
    return read;
  });
}

async function findContacts(
  db: Database,
  bindingId: string,
  wanted: ReadonlyMap<string, EmailAddress>,
): Promise<ContactRow[]> {
  const { rows } = await db.query<ContactRow>(
    `select id as contact_id, address, address_key as key, token, made_by, received, invites_replies, sent, blocked_at is not null as is_blocked
       from contact where binding_id = $1 and address_key = any ($2::text[]) order by id`,
    [bindingId, [...wanted.keys()]],
    { name: "contacts.sent_to" },
  );
  return rows;
}

async function checkAllowed(
  policy: SendingPolicy,
  message: { ownerId: string; isBesideWriter: boolean },
  contact: ContactRow | undefined,
): Promise<void> {
  if (contact?.isBlocked) throw notAllowed("One of the contacts is blocked.");
  const fault = await policy.fault({ madeBy: "owner", received: 0, invitesReplies: false, ...contact, ...message });
  if (fault === "sending-off") throw notAllowed("This service sends no mail of accounts.");
  if (fault) throw notAllowed("One of the recipients has not written to this address yet.");
}

function notAllowed(sentence: string): Refusal {
  return new Refusal("SendingNotAllowed", { public: sentence });
}
