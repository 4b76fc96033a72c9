import { encodeWord, encodeWords } from "nodemailer/lib/mime-funcs";
import { withAsciiDomain } from "../../../message/address/addr-spec.ts";
import { type Mailbox, parseAddressList } from "../../../message/address/address-list.ts";
import { isPrintableAscii } from "../../../message/coding/ascii.ts";
import {
  bodyOf,
  fieldsNamed,
  fieldText,
  type HeaderField,
  headerField,
  textAsBytes,
  unfoldedBody,
} from "../../../message/header/fields.ts";
import { messageIdsIn, threadIdsIn } from "../../../message/header/sealed-message-id.ts";
import { areAligned } from "../../../platform/net/organisational-domain.ts";
import { foldedField, phraseOf } from "../../outbound/display-phrase.ts";
import { headerDate } from "../../outbound/received-field.ts";
import { addressOf } from "../named-mailboxes.ts";

/** What the header of an outgoing answer is made with. */
interface OutgoingRewriting {
  readonly proxyAddress: string;
  readonly displayName: string;
  /** No display name shows an address there: the service signs it, whoever wrote it. */
  readonly serviceDomain: string;
  /** The domain of the author's real address, in A-labels. */
  readonly authorDomain: string;
  /** Of the contact. */
  readonly contactDomain: string;
  /** What an address in To or Cc is outside; undefined for one that is left out. */
  outside(address: string): string | undefined;
  /** Whether an identifier is one of ours. */
  isSealed(messageId: string): boolean;
  /** The owner's identifier that one of ours stands for. */
  originalId(messageId: string): string | undefined;
  seal(messageId: string): string;
  /** A responder wrote it. */
  readonly isAutomatic: boolean;
}

const keptNames = new Set(["subject", "mime-version", "auto-submitted"]);

/**
 * The header of an answer as it leaves: these fields alone, whatever else a person's own server and program wrote. Fields that say what
 * the body is stay as they are.
 */
export function outgoingHeader(fields: readonly HeaderField[], rewriting: OutgoingRewriting): HeaderField[] {
  const to = addressField(fields, "To", rewriting);
  const cc = addressField(fields, "Cc", rewriting);
  const nobody = to.length + cc.length === 0 ? [headerField("To", "undisclosed-recipients:;")] : [];
  return [
    fromField(rewriting),
    ...to,
    ...cc,
    ...nobody,
    ...fields
      .filter(({ name }) => name === "subject")
      .map((field) => (rewriting.isAutomatic ? withoutAddresses(field) : field)),
    headerField("Date", headerDate(new Date(bodyOf(fields, "date") ?? ""))),
    headerField("Message-ID", rewriting.seal(messageIdsIn(bodyOf(fields, "message-id") ?? "")[0] ?? "<>")),
    ...threadField(fields, "In-Reply-To", rewriting),
    ...threadField(fields, "References", rewriting),
    ...fields.filter(({ name }) => (keptNames.has(name) && name !== "subject") || name.startsWith("content-")),
    ...missingMimeVersion(fields),
  ];
}

/** Programs need not read fields that say what a body is, its own or those of one that was rewritten, without it (RFC 2045 section 4). */
function missingMimeVersion(fields: readonly HeaderField[]): HeaderField[] {
  const isMissing = fieldsNamed(fields, "mime-version").length === 0;
  return isMissing && fields.some(({ name }) => name.startsWith("content-"))
    ? [headerField("MIME-Version", "1.0")]
    : [];
}

/** A name is in ASCII: as it is, it could go by servers with SMTPUTF8 alone, which whoever gets the answer may not have. */
function fromField({ displayName, proxyAddress, serviceDomain }: OutgoingRewriting): HeaderField {
  const address = `<${textAsBytes(proxyAddress)}>`;
  const name = isPrintableAscii(displayName) ? displayName : encodeWord(displayName, "Q", 52);
  return foldedField("From", displayName === "" ? [address] : [...phraseOf(name, [serviceDomain]), address]);
}

/** What may be an address, in whatever encoding. */
function isAddressLike(word: string): boolean {
  const isEncoded = /[\w+/=-]{16}/.test(word) && /\d|[a-z][A-Z]/.test(word);
  return isEncoded || /@|%40|=40|&#|&commat|\\u00/i.test(word);
}

/** Responders repeat the subject of whoever wrote: what looks like an address goes, whoever's it is, so that none tells which is right. */
function withoutAddresses(field: HeaderField): HeaderField {
  // Control characters were encoded, and are not encoded again.
  const words = fieldText(field)
    .replace(/\p{Cc}/gu, " ")
    .trim()
    .split(/\s+/)
    .map((word) => (isAddressLike(word) ? "[...]" : word));
  const left = words.join(" ");
  if (!words.includes("[...]")) return field;
  return foldedField("Subject", (isPrintableAscii(left) ? left : encodeWords(left, "Q", 52)).split(/\s+/));
}

/** Without names: those on the owner's side are how the owner's address book calls them. */
function addressField(fields: readonly HeaderField[], name: string, rewriting: OutgoingRewriting): HeaderField[] {
  const mailboxes = fieldsNamed(fields, name.toLowerCase()).flatMap(
    (field): readonly Mailbox[] => parseAddressList(unfoldedBody(field)).mailboxes,
  );
  const addresses = new Set(mailboxes.flatMap((mailbox) => rewriting.outside(addressOf(mailbox)) ?? []));
  if (addresses.size === 0) return [];
  return [
    foldedField(
      name,
      [...addresses].map((address, at) => `<${textAsBytes(address)}>${at < addresses.size - 1 ? "," : ""}`),
    ),
  ];
}

/**
 * What the contact knows stays, of the newest. The owner's own identifiers go where the sealed one stands beside them (see incomingHeader), and are
 * sealed where they stand alone.
 */
function threadField(fields: readonly HeaderField[], name: string, rewriting: OutgoingRewriting): HeaderField[] {
  const all = new Set(threadIdsIn(fields));
  const ids = messageIdsIn(bodyOf(fields, name.toLowerCase()) ?? "").filter((id) => all.has(id));
  const sealedOf = new Map(
    [...all].flatMap((id) => (rewriting.isSealed(id) ? [[rewriting.originalId(id) ?? "", id] as const] : [])),
  );
  const outside = ids.map((id) => sealedOf.get(id) ?? (isOwn(id, rewriting) ? rewriting.seal(id) : id));
  return outside.length === 0 ? [] : [headerField(name, [...new Set(outside)].join("\r\n "))];
}

/** By its domain; where the contact is at the same provider, an identifier may be the contact's and stays. */
function isOwn(messageId: string, { authorDomain, contactDomain, isSealed }: OutgoingRewriting): boolean {
  if (isSealed(messageId)) return false;
  const domain = withAsciiDomain(messageId.slice(1, -1)).split("@").at(-1)?.toLowerCase() ?? "";
  return areAligned(domain, authorDomain) && !areAligned(domain, contactDomain);
}
