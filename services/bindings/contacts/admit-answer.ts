import type { z } from "zod";
import { domainOf, withAsciiDomain } from "../../message/address/addr-spec.ts";
import { formatReverseAddress, reverseToken } from "../../message/address/reverse-address.ts";
import { isAccountDisabled } from "../../platform/accounts/disabled-accounts.ts";
import type { Queryable } from "../../platform/db/types.ts";
import { isId } from "../../platform/ids.ts";
import {
  addressKey,
  type EmailAddress,
  envelopeAddress,
  parseEmailAddress,
  readRecipient,
  withLowerCaseDomain,
} from "../addresses/email-address.ts";
import { withoutSubaddress } from "../addresses/local-part.ts";
import type { bindingsContract } from "../contract.ts";
import type { AnswerAdmission } from "./contract.ts";
import { insertContacts } from "./insert-contacts.ts";
import type { SendingLimits } from "./sending-limits.ts";
import { isSendingPaused } from "./sending-pauses.ts";
import type { SendingPolicy } from "./sending-policy.ts";

type Request = z.output<typeof bindingsContract.procedures.admitAnswer.input>;
type Admission = z.output<typeof AnswerAdmission>;
type Reason = Extract<Admission, { outcome: "refused" }>["reason"];

interface Parts {
  db: Queryable;
  policy: SendingPolicy;
  limits: SendingLimits;
}

interface RealAddressRow {
  address: string;
  key: string;
  bindingId: string;
  isActive: boolean;
  spfSuffices: boolean;
}

interface AnsweredRow {
  contactId: string;
  bindingId: string;
  ownerId: string;
  address: string;
  token: string;
  madeBy: "mail" | "owner";
  received: number;
  invitesReplies: boolean;
  sent: number;
  isBlocked: boolean;
  isDisabled: boolean;
  isPaused: boolean;
  proxyAddress: string;
  proxyAddressKey: string;
  displayName: string;
  answers: boolean;
  answersStrangers: boolean;
  sendsEncrypted: boolean;
  isBrowsable: boolean;
  realAddresses: RealAddressRow[];
}

/** A contact as others need it, its reverse address as forwards name it. */
interface Named {
  contactId: string;
  address: string;
  reverseAddress: string;
}

/** The owner is looked at first: nobody else learns anything of the binding. @throws Outage */
export async function admitAnswer(parts: Parts, request: Request): Promise<Admission> {
  const row = await find(parts.db, request.contactId);
  if (!row) return refused("unknown");
  const fault = authorFault(row, request) ?? bindingFault(row) ?? (await policyFault(parts, row, request.addressed));
  if (fault) return refused(fault);
  const named = await namedContacts(parts.db, row, request.addressed);
  if (!named) return refused("stranger");
  const isNew = row.sent === 0;
  const { isAutomatic, isRepeated = false, digest } = request;
  const isWithin = isRepeated || (await parts.limits.consume({ ...row, isNew, isAutomatic, digest }));
  if (!isWithin) return refused("over-limit");
  const { bindingId, ownerId, proxyAddress, displayName, isBrowsable, sendsEncrypted } = row;
  return {
    outcome: "admitted",
    bindingId,
    ownerId,
    proxyAddress,
    displayName,
    isBrowsable,
    sendsEncrypted,
    realAddresses: [...new Set(row.realAddresses.map(({ address }) => address))],
    recipient: asNamed(row, row.proxyAddress),
    named,
  };
}

function refused(reason: Reason): Admission {
  return { outcome: "refused", reason };
}

async function find(db: Queryable, contactId: string): Promise<AnsweredRow | undefined> {
  if (!isId(contactId)) return undefined;
  const { rows } = await db.query<AnsweredRow>(
    `select contact.id as contact_id, contact.address, token, made_by, received, invites_replies, sent, blocked_at is not null as is_blocked,
            binding.id as binding_id, binding.owner_id, ${isAccountDisabled("binding.owner_id")} as is_disabled, ${isSendingPaused("binding.owner_id")} as is_paused,
            proxy_address, proxy_address_key,
            display_name, answers, answers_strangers, sends_encrypted, is_browsable,
            (select coalesce(json_agg(json_build_object('address', real.address, 'key', address_key, 'bindingId', real.binding_id,
                      'isActive', is_enabled and verified_at is not null, 'spfSuffices', spf_suffices)), '[]')
               from real_address as real where real.owner_id = binding.owner_id and not is_internal) as real_addresses
       from contact join binding on binding.id = binding_id where contact.id = $1`,
    [contactId],
    { name: "contacts.answered" },
  );
  return rows[0];
}

function authorFault({ realAddresses, bindingId }: AnsweredRow, request: Request): Reason | undefined {
  const key = readRecipient(request.author).emailAddress?.key;
  const own = realAddresses.find((each) => each.bindingId === bindingId && each.isActive && each.key === key);
  if (!own) return "not-owner";
  return request.isProved || (own.spfSuffices && request.isSpfAligned) ? undefined : "unproved";
}

function bindingFault({ answers, isBlocked, isDisabled, isPaused }: AnsweredRow): Reason | undefined {
  if (!answers || isDisabled) return "answers-off";
  if (isBlocked) return "blocked";
  // After what will not change: for this its server tries again.
  return isPaused ? "paused" : undefined;
}

async function policyFault({ db, policy }: Parts, row: AnsweredRow, addressed: readonly string[]) {
  const tokens = addressed.flatMap((address) => reverseToken(address) ?? []);
  const { rowCount } = await db.query(
    "select from contact where binding_id = $1 and token = any ($2::text[]) and (received > 0 or invites_replies) limit 1",
    [row.bindingId, tokens],
    { name: "contacts.writers" },
  );
  return policy.fault({ ...row, isBesideWriter: rowCount > 0 });
}

/** The contacts that To and Cc name; undefined where one is a stranger (no contact), and the binding does not answer strangers. */
async function namedContacts(
  db: Queryable,
  row: AnsweredRow,
  addressed: readonly string[],
): Promise<Named[] | undefined> {
  const others = addressed.filter((address) => !isProxyAddress(row, address));
  const tokens = others.flatMap((address) => reverseToken(address) ?? []);
  const { rows } = await db.query<{ contactId: string; address: string; token: string }>(
    "select id as contact_id, address, token from contact where binding_id = $1 and token = any ($2::text[])",
    [row.bindingId, tokens],
    { name: "contacts.named" },
  );
  const contacts = rows.map((contact) => asNamed(contact, row.proxyAddress));
  const known = new Set(contacts.map(({ reverseAddress }) => reverseAddress));
  const strangers = others.filter((address) => !known.has(withAsciiDomain(address).toLowerCase()));
  if (strangers.length === 0) return contacts;
  if (!row.answersStrangers || strangers.some((address) => reverseToken(address) !== undefined)) return undefined;
  const made = await strangersAsContacts(db, row, strangers);
  return made && [...contacts, ...made];
}

/** None of them may be an address of the owner's: it would stand in what leaves. */
async function strangersAsContacts(
  db: Queryable,
  { bindingId, realAddresses, proxyAddress }: AnsweredRow,
  addresses: readonly string[],
): Promise<Named[] | undefined> {
  const read = addresses.map((address) => readRecipient(address).emailAddress);
  const strangers = read.filter((address): address is EmailAddress => address !== undefined).map(withLowerCaseDomain);
  const isOwn = strangers.some(({ key }) => realAddresses.some((real) => real.key === key));
  if (isOwn || strangers.length < read.length) return undefined;
  const byKey = new Map(strangers.map((emailAddress) => [emailAddress.key, emailAddress]));
  await insertContacts(
    db,
    [...byKey.values()].map((emailAddress) => ({ bindingId, emailAddress, name: "" })),
    "owner",
  );
  const { rows } = await db.query<{ contactId: string; address: string; token: string }>(
    "select id as contact_id, address, token from contact where binding_id = $1 and address_key = any ($2::text[])",
    [bindingId, [...byKey.keys()]],
  );
  return rows.map((contact) => asNamed(contact, proxyAddress));
}

function isProxyAddress({ proxyAddressKey }: AnsweredRow, address: string): boolean {
  const { emailAddress } = readRecipient(address);
  if (!emailAddress || reverseToken(address) !== undefined) return false;
  const { key, localPart, domain } = emailAddress;
  return [key, addressKey(withoutSubaddress(localPart), domain)].includes(proxyAddressKey);
}

function asNamed(
  { contactId, address, token }: { contactId: string; address: string; token: string },
  proxyAddress: string,
): Named {
  const { emailAddress } = parseEmailAddress(address);
  const envelope = emailAddress ? envelopeAddress(emailAddress) : address;
  const reverseAddress = withAsciiDomain(formatReverseAddress(token, domainOf(proxyAddress)));
  return { contactId, address: envelope, reverseAddress };
}
