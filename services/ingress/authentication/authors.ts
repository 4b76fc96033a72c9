import { type Mailbox, parseAddressList } from "../../message/address/address-list.ts";
import { toAscii } from "../../message/address/domain-name.ts";
import { bytesAsText, fieldsNamed, foldedBody, type HeaderField } from "../../message/header/fields.ts";

/** An addr-spec (RFC 5322 section 3.4.1) of From. */
interface AuthorAddress {
  /** Without quotes, otherwise as it stands. */
  readonly localPart: string;
  /** ASCII, in lower case, without a final dot; an address literal with its brackets. */
  readonly domain: string;
  /** False if the field breaks the grammar and clients may show another of its addresses as the author. */
  readonly isCertain: boolean;
}

/** The authors that the From fields of a message name. */
export interface Authors {
  /** How many From fields there are; RFC 5322 section 3.6 wants exactly one. */
  readonly fieldCount: number;
  /** Every address that a client may show as an author. */
  readonly addresses: readonly AuthorAddress[];
  /** Whether a From field has no address, or breaks the grammar, so that clients may show authors that are not in `addresses`. */
  readonly isUnreadable: boolean;
}

/** Of all From fields together. */
const limitChars = 16 * 1024;
/** Each may cost some lookups. */
const domainsLimit = 10;

/**
 * The authors of a message: all addresses of all its From fields, obsolete syntax included (RFC 5322 section 4.4). There
 * should be one field, but what comes may have several, and readers differ in which they show.
 */
export function authorsOf(fields: readonly HeaderField[]): Authors {
  // White space has no meaning here, and may be half a megabyte.
  const bodies = fieldsNamed(fields, "from").map((field) => bytesAsText(foldedBody(field)).replace(/[ \t\r\n]+/g, " "));
  const fieldCount = bodies.length;
  const unreadable = { fieldCount, addresses: [], isUnreadable: fieldCount > 0 };
  if (bodies.reduce((sum, { length }) => sum + length, 0) > limitChars) return unreadable;
  const found = bodies.flatMap(addressesIn);
  const addresses = found.filter((address) => address !== undefined);
  if (addresses.length === 0 || new Set(addresses.map(({ domain }) => domain)).size > domainsLimit) return unreadable;
  return { fieldCount, addresses, isUnreadable: addresses.length < found.length };
}

/** With undefined for each that cannot be read. */
function addressesIn(body: string): (AuthorAddress | undefined)[] {
  const { mailboxes, isWellFormed } = parseAddressList(withoutCommonFaults(body));
  const named = mailboxes.filter(({ domain }) => domain !== "");
  const addresses = named.map((mailbox) => addressOf(mailbox, isWellFormed || named.length === 1));
  return isWellFormed ? addresses : [...addresses, undefined];
}

/**
 * Removes common violations of the grammar that do not change which address clients show: "Foo, Inc. <foo@bar.example>", an
 * encoded word with a comma in it, and an address that is its own display name.
 */
function withoutCommonFaults(body: string): string {
  const words = body.replace(/=\?[\w*-]{1,100}\?[bq]\?[^?\s"()<>@\\:;[\]]*\?=/gi, "word");
  return words
    .split(",")
    .filter((piece) => /[@<>"()[\]:;\\]/.test(piece))
    .map((piece) => piece.replace(/^ ?([\w.+=-]+@[\w.-]+) <\1> ?$/, "$1"))
    .join(",");
}

function addressOf({ localPart, domain }: Mailbox, isCertain: boolean): AuthorAddress | undefined {
  if (/^\[.*\]$/.test(domain)) return { localPart, domain, isCertain };
  // Letters, digits and hyphens: at other ASCII characters some clients end the domain.
  if (!/^[\w.\-\u0080-\u{10ffff}]+$/u.test(domain)) return undefined;
  const ascii = toAscii(domain).replace(/\.$/, "");
  return ascii === "" || ascii.includes("..") ? undefined : { localPart, domain: ascii, isCertain };
}
