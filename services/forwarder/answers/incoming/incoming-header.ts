import { type Group, type Mailbox, parseAddressList } from "../../../message/address/address-list.ts";
import { fieldsNamed, type HeaderField, headerField, unfoldedBody } from "../../../message/header/fields.ts";
import { messageIdsIn, threadIdsIn } from "../../../message/header/sealed-message-id.ts";
import { foldedField, formatMailbox, phraseOf } from "../../outbound/display-phrase.ts";
import { addressFields, addressOf, listFields, listUrlsOf, mailboxesOf } from "../named-mailboxes.ts";

/** What is written in place of the addresses of a message that goes to its owner. */
export interface IncomingRewriting {
  /** By address in lower case: its reverse address, or "own" for the proxy address. */
  readonly reverseAddresses: ReadonlyMap<string, string>;
  /** As octets, like every string of a field. */
  readonly proxyAddress: string;
  /** In A-labels: its domain, and SERVICE_DOMAIN; no display name shows an address there. */
  readonly ownDomains: readonly string[];
  /** The author failed DMARC. */
  readonly isUnverified: boolean;
  /** The owner's identifier that one of ours stands for; undefined for every other. */
  originalId(messageId: string): string | undefined;
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
export function incomingHeader(fields: readonly HeaderField[], given: IncomingRewriting): HeaderField[] {
  const originalIds = new Map(threadIdsIn(fields).map((id) => [id, given.originalId(id)]));
  const rewriting = { ...given, originalId: (id: string) => originalIds.get(id) };
  const [from] = fieldsNamed(fields, "from");
  const rewritten = fields.flatMap((field) => {
    if (field.name === "from") return field === from ? [fromField(fields, rewriting)] : [];
    return isRemoved(field) ? [] : incomingField(field, rewriting);
  });
  const added = fieldsNamed(fields, "references").length === 0 ? referencesFor(fields, rewriting) : [];
  return [...rewritten, ...added];
}

function isRemoved({ name }: HeaderField): boolean {
  return removedNames.has(name) || name.startsWith("resent-");
}

function incomingField(field: HeaderField, rewriting: IncomingRewriting): HeaderField[] {
  const { name } = field;
  if (rewrittenNames.has(name)) return addressField(field, rewriting);
  if (listNames.has(name)) return listField(field, rewriting);
  if (name === "in-reply-to") return [inReplyToField(field, rewriting)];
  return [name === "references" ? referencesField(field, rewriting) : field];
}

/** The author, at a reverse address; where none can be written to, at the proxy address. */
function fromField(fields: readonly HeaderField[], rewriting: IncomingRewriting): HeaderField {
  const given = fieldsNamed(fields, "from");
  const mailboxes = given.flatMap(mailboxesOf);
  const prefix = rewriting.isUnverified ? "Unverified: " : "";
  const written = mailboxes.flatMap((mailbox) => {
    const address = reverseOf(mailbox, rewriting);
    return address ? [{ text: prefix + formatMailbox(mailbox), address }] : [];
  });
  const text = mailboxes.map(formatMailbox).join(", ") || given.map(unfoldedBody).join(", ");
  const entries = written.length > 0 ? written : [{ text: prefix + text, address: rewriting.proxyAddress }];
  return listOf(
    "From",
    entries.map((entry) => wordsOf(entry, rewriting)),
  );
}

/** Those who cannot be written to, because there are too many or they are none, become a group without addresses (RFC 5322 section 3.4). */
function addressField(field: HeaderField, rewriting: IncomingRewriting): HeaderField[] {
  const { entries } = parseAddressList(unfoldedBody(field));
  const mailboxes = entries.flatMap((entry) => (isGroup(entry) ? entry.members : [entry])).filter(isAddressed);
  const emptyGroups = entries.filter((entry): entry is Group => isGroup(entry) && !entry.members.some(isAddressed));
  const written = mailboxes.flatMap((mailbox) => {
    const address = addressFor(mailbox, rewriting);
    return address
      ? [
          wordsOf(
            { text: isOwn(mailbox, rewriting) ? mailbox.displayName : formatMailbox(mailbox), address },
            rewriting,
          ),
        ]
      : [];
  });
  const restCount = mailboxes.length - written.length;
  const groups = [
    ...emptyGroups.map(({ displayName }) => groupWords(displayName, rewriting)),
    ...(restCount > 0 ? [groupWords(`${restCount} more`, rewriting)] : []),
  ];
  const spelled = field.raw.slice(0, field.name.length);
  return written.length + groups.length === 0 ? [] : [listOf(spelled, [...written, ...groups])];
}

function groupWords(name: string, rewriting: IncomingRewriting): string[] {
  const words = phraseOf(name || "recipients", rewriting.ownDomains);
  return [...words.slice(0, -1), `${words.at(-1) ?? '""'}:;`];
}

function wordsOf({ text, address }: { text: string; address: string }, { ownDomains }: IncomingRewriting): string[] {
  return [...phraseOf(text, ownDomains), `<${address}>`];
}

function listOf(name: string, elements: readonly string[][]): HeaderField {
  const words = elements.flatMap((element, at) =>
    at === elements.length - 1 ? element : [...element.slice(0, -1), `${element.at(-1)},`],
  );
  return foldedField(name, words);
}

function isGroup(entry: Mailbox | Group): entry is Group {
  return "members" in entry;
}

function isAddressed({ localPart, domain }: Mailbox): boolean {
  return localPart !== "" && domain !== "";
}

function lookUpReverseAddress(mailbox: Mailbox, { reverseAddresses }: IncomingRewriting): string | undefined {
  return reverseAddresses.get(addressOf(mailbox).toLowerCase());
}

function isOwn(mailbox: Mailbox, rewriting: IncomingRewriting): boolean {
  return lookUpReverseAddress(mailbox, rewriting) === "own";
}

function reverseOf(mailbox: Mailbox, rewriting: IncomingRewriting): string | undefined {
  return isOwn(mailbox, rewriting) ? undefined : lookUpReverseAddress(mailbox, rewriting);
}

function addressFor(mailbox: Mailbox, rewriting: IncomingRewriting): string | undefined {
  return isOwn(mailbox, rewriting) ? rewriting.proxyAddress : lookUpReverseAddress(mailbox, rewriting);
}

/** `mailto:` leads to a contact; what leads elsewhere stays. Without angle brackets it is no URL (RFC 2369 section 2), but some follow it. */
function listField(field: HeaderField, rewriting: IncomingRewriting): HeaderField[] {
  const urls = listUrlsOf(field);
  const others = unfoldedBody(field).replaceAll(/<[^<>]*>/g, "");
  const isMailto = urls.some(({ address }) => address !== undefined) || /mailto|@/i.test(others);
  if (!isMailto) return [field];
  const kept = urls.flatMap(({ url, address, query }) => {
    if (address === undefined) return [`<${url}>`];
    const reverse = rewriting.reverseAddresses.get(address.toLowerCase());
    return reverse === undefined || reverse === "own" ? [] : [`<mailto:${reverse}${query}>`];
  });
  return kept.length === 0 ? [] : [headerField(field.raw.slice(0, field.name.length), kept.join(",\r\n\t"))];
}

function inReplyToField(field: HeaderField, rewriting: IncomingRewriting): HeaderField {
  const ids = messageIdsIn(unfoldedBody(field));
  if (!ids.some((id) => rewriting.originalId(id))) return field;
  return headerField("In-Reply-To", ids.map((id) => rewriting.originalId(id) ?? id).join("\r\n "));
}

/**
 * The owner's identifier stands beside the one that it was sealed as: an answer then repeats the one that the contact knows, and its
 * thread holds there as well.
 */
function referencesField(field: HeaderField, rewriting: IncomingRewriting): HeaderField {
  const ids = messageIdsIn(unfoldedBody(field));
  return ids.some((id) => rewriting.originalId(id)) ? referencesOf(ids, rewriting) : field;
}

function referencesFor(fields: readonly HeaderField[], rewriting: IncomingRewriting): HeaderField[] {
  const ids = fieldsNamed(fields, "in-reply-to").flatMap((field) => messageIdsIn(unfoldedBody(field)));
  return ids.some((id) => rewriting.originalId(id)) ? [referencesOf(ids, rewriting)] : [];
}

function referencesOf(ids: readonly string[], rewriting: IncomingRewriting): HeaderField {
  const both = ids.flatMap((id) => [id, rewriting.originalId(id) ?? []].flat());
  return headerField("References", both.join("\r\n "));
}
