import { type Group, type Mailbox, parseAddressList } from "../../message/address/address-list.ts";
import { fieldsNamed, type HeaderField, headerField, unfoldedBody } from "../../message/header/fields.ts";
import { messageIdsIn } from "../../message/header/sealed-message-id.ts";
import { folded, phraseOf, shown } from "../outbound/display-phrase.ts";
import { addressFields, addressOf, listFields, listUrlsOf, mailboxesOf } from "./named-mailboxes.ts";

/** What an address of a message becomes on its owner's side. */
export interface OwnersSide {
  /** By address in lower case: its reverse address, or "own" for the proxy address. */
  readonly reverseAddresses: ReadonlyMap<string, string>;
  /** As octets, like every string of a field. */
  readonly proxyAddress: string;
  /** In A-labels: its domain, and SERVICE_DOMAIN; no display name shows an address there. */
  readonly ownDomains: readonly string[];
  /** The author failed DMARC. */
  readonly isUnverified: boolean;
  /** The owner's identifier that one of ours stands for; undefined for every other. */
  ownersId(messageId: string): string | undefined;
}

/** An automatic notification or an answer to these would name the real address, or go past the reverse addresses. */
const removedNames = new Set([
  ...["disposition-notification-to", "return-receipt-to", "x-confirm-reading-to", "read-receipt-to"],
  "chat-disposition-notification-to",
  ...["sender", "mail-followup-to", "mail-reply-to", "errors-to"],
]);
const rewrittenNames: ReadonlySet<string> = new Set(addressFields);
const listNames: ReadonlySet<string> = new Set(listFields);

/**
 * The header of a message as its owner gets it, where the binding answers: every address that can be answered is a reverse address, so
 * that an answer to all goes by way of the service, and identifiers are the owner's own again.
 */
export function ownersHeader(fields: readonly HeaderField[], side: OwnersSide): HeaderField[] {
  const [from] = fieldsNamed(fields, "from");
  const rewritten = fields.flatMap((field) => {
    if (field.name === "from") return field === from ? [fromField(fields, side)] : [];
    return isRemoved(field) ? [] : ownersField(field, side);
  });
  const added = fieldsNamed(fields, "references").length === 0 ? referencesFor(fields, side) : [];
  return [...rewritten, ...added];
}

function isRemoved({ name }: HeaderField): boolean {
  return removedNames.has(name) || name.startsWith("resent-");
}

function ownersField(field: HeaderField, side: OwnersSide): HeaderField[] {
  const { name } = field;
  if (rewrittenNames.has(name)) return addressField(field, side);
  if (listNames.has(name)) return listField(field, side);
  if (name === "in-reply-to") return [inReplyToField(field, side)];
  return [name === "references" ? referencesField(field, side) : field];
}

/** The author, at a reverse address; where none can be written to, at the proxy address. */
function fromField(fields: readonly HeaderField[], side: OwnersSide): HeaderField {
  const given = fieldsNamed(fields, "from");
  const mailboxes = given.flatMap(mailboxesOf);
  const prefix = side.isUnverified ? "Unverified: " : "";
  const written = mailboxes.flatMap((mailbox) => {
    const address = reverseOf(mailbox, side);
    return address ? [{ text: prefix + shown(mailbox), address }] : [];
  });
  const text = mailboxes.map(shown).join(", ") || given.map(unfoldedBody).join(", ");
  const entries = written.length > 0 ? written : [{ text: prefix + text, address: side.proxyAddress }];
  return listOf(
    "From",
    entries.map((entry) => wordsOf(entry, side)),
  );
}

/** Those who cannot be written to, because there are too many or they are none, become a group without addresses (RFC 5322 section 3.4). */
function addressField(field: HeaderField, side: OwnersSide): HeaderField[] {
  const { entries } = parseAddressList(unfoldedBody(field));
  const mailboxes = entries.flatMap((entry) => (isGroup(entry) ? entry.members : [entry])).filter(isAddressed);
  const emptyGroups = entries.filter((entry): entry is Group => isGroup(entry) && !entry.members.some(isAddressed));
  const written = mailboxes.flatMap((mailbox) => {
    const address = addressFor(mailbox, side);
    return address
      ? [wordsOf({ text: isOwn(mailbox, side) ? mailbox.displayName : shown(mailbox), address }, side)]
      : [];
  });
  const restCount = mailboxes.length - written.length;
  const groups = [
    ...emptyGroups.map(({ displayName }) => groupWords(displayName, side)),
    ...(restCount > 0 ? [groupWords(`${restCount} more`, side)] : []),
  ];
  const spelled = field.raw.slice(0, field.name.length);
  return written.length + groups.length === 0 ? [] : [listOf(spelled, [...written, ...groups])];
}

function groupWords(name: string, side: OwnersSide): string[] {
  const words = phraseOf(name || "recipients", side.ownDomains);
  return [...words.slice(0, -1), `${words.at(-1) ?? '""'}:;`];
}

function wordsOf({ text, address }: { text: string; address: string }, { ownDomains }: OwnersSide): string[] {
  return [...phraseOf(text, ownDomains), `<${address}>`];
}

function listOf(name: string, elements: readonly string[][]): HeaderField {
  const words = elements.flatMap((element, at) =>
    at === elements.length - 1 ? element : [...element.slice(0, -1), `${element.at(-1)},`],
  );
  return folded(name, words);
}

function isGroup(entry: Mailbox | Group): entry is Group {
  return "members" in entry;
}

function isAddressed({ localPart, domain }: Mailbox): boolean {
  return localPart !== "" && domain !== "";
}

function mapped(mailbox: Mailbox, { reverseAddresses }: OwnersSide): string | undefined {
  return reverseAddresses.get(addressOf(mailbox).toLowerCase());
}

function isOwn(mailbox: Mailbox, side: OwnersSide): boolean {
  return mapped(mailbox, side) === "own";
}

function reverseOf(mailbox: Mailbox, side: OwnersSide): string | undefined {
  return isOwn(mailbox, side) ? undefined : mapped(mailbox, side);
}

function addressFor(mailbox: Mailbox, side: OwnersSide): string | undefined {
  return isOwn(mailbox, side) ? side.proxyAddress : mapped(mailbox, side);
}

/** `mailto:` leads to a contact; what leads elsewhere stays. Without angle brackets it is no URL (RFC 2369 section 2), but some follow it. */
function listField(field: HeaderField, side: OwnersSide): HeaderField[] {
  const urls = listUrlsOf(field);
  const others = unfoldedBody(field).replaceAll(/<[^<>]*>/g, "");
  const isMailto = urls.some(({ address }) => address !== undefined) || /mailto|@/i.test(others);
  if (!isMailto) return [field];
  const kept = urls.flatMap(({ url, address, query }) => {
    if (address === undefined) return [`<${url}>`];
    const reverse = side.reverseAddresses.get(address.toLowerCase());
    return reverse === undefined || reverse === "own" ? [] : [`<mailto:${reverse}${query}>`];
  });
  return kept.length === 0 ? [] : [headerField(field.raw.slice(0, field.name.length), kept.join(",\r\n\t"))];
}

function inReplyToField(field: HeaderField, side: OwnersSide): HeaderField {
  const ids = messageIdsIn(unfoldedBody(field));
  if (!ids.some((id) => side.ownersId(id))) return field;
  return headerField("In-Reply-To", ids.map((id) => side.ownersId(id) ?? id).join("\r\n "));
}

/**
 * The owner's identifier stands beside the one that it was sealed as: an answer then repeats the one that the contact knows, and its
 * thread holds there as well.
 */
function referencesField(field: HeaderField, side: OwnersSide): HeaderField {
  const ids = messageIdsIn(unfoldedBody(field));
  return ids.some((id) => side.ownersId(id)) ? referencesOf(ids, side) : field;
}

function referencesFor(fields: readonly HeaderField[], side: OwnersSide): HeaderField[] {
  const ids = fieldsNamed(fields, "in-reply-to").flatMap((field) => messageIdsIn(unfoldedBody(field)));
  return ids.some((id) => side.ownersId(id)) ? [referencesOf(ids, side)] : [];
}

function referencesOf(ids: readonly string[], side: OwnersSide): HeaderField {
  const both = ids.flatMap((id) => [id, side.ownersId(id) ?? []].flat());
  return headerField("References", both.join("\r\n "));
}
