import { comparableAddress, domainOf, withAsciiDomain } from "../../../message/address/addr-spec.ts";
import { bytesAsText, type HeaderField } from "../../../message/header/fields.ts";
import { areAligned } from "../../../platform/net/organisational-domain.ts";
import { withoutEntities } from "../search/address-search.ts";

/** Whose identifiers of parts are to name another domain. */
export interface ContentIdRewriting {
  /** Of the author's real address, in A-labels. */
  readonly authorDomain: string;
  /** Of the proxy address, in A-labels. */
  readonly proxyDomain: string;
  /** One that is a real address stays, so that it is found and the answer held. */
  readonly ownAddresses: readonly string[];
}

/** Up to a character that is in none, as it is or as a character reference, or to the next one in a list. */
const reference =
  /\bcid:(?:(?!(?:&(?:quot|apos|#0*(?:34|39)|#x0*(?:22|27));|[,;]){1,8}cid:|&(?:lt|gt|nbsp|#0*(?:60|62|160)|#x0*(?:3c|3e|a0));)[^\s"'<>()[\]])+/gi;
/** What would end an attribute's value, or be taken for a character reference. */
const unsafe = /["'<>&\s]/g;
/** A character reference, or the character itself. */
const lastCharacter = /(?:&[#\w]{1,10};|.)$/su;
const longestReference = 12;

/** A field of a part as it leaves. */
export function withOutsideContentId(field: HeaderField, rewriting: ContentIdRewriting): HeaderField {
  return withIds(field, (id) => outsideId(id, rewriting));
}

/** The identifiers in a field of a part that are others outside, in the form in which they are compared. */
export function changedIds(field: HeaderField, rewriting: ContentIdRewriting): string[] {
  const changed: string[] = [];
  withIds(field, (id) => {
    if (outsideId(id, rewriting) !== id) changed.push(comparableId(percentDecoded(bytesAsText(id))));
    return id;
  });
  return changed;
}

/** Whether a text refers to one of these, in the form in which they are compared. */
export function refersToOneOf(ids: ReadonlySet<string>, text: string): boolean {
  for (const [url] of text.matchAll(reference))
    if (ids.has(comparableId(percentDecoded(withoutEntities(url))))) return true;
  return false;
}

/** A text as it leaves, with what refers to parts in it (RFC 2392). */
export function withOutsideReferences(text: string, rewriting: ContentIdRewriting): string {
  return text.replaceAll(reference, (url) => {
    const end = domainEnd(url);
    const id = withoutEntities(url.slice(0, end));
    const outside = outsideId(id, rewriting);
    if (outside === id) return url;
    const safe = outside.replaceAll(unsafe, (each) => `%${each.charCodeAt(0).toString(16).padStart(2, "0")}`);
    return safe + url.slice(end);
  });
}

/** Behind it stands punctuation alone, as it is or as character references: `url(&quot;cid:…&quot;)`, or a comma of `srcset`. */
function domainEnd(url: string): number {
  for (let end = url.length; end > 0; ) {
    const [last = ""] = lastCharacter.exec(url.slice(Math.max(0, end - longestReference), end)) ?? [];
    if (last === "" || /[\p{L}\p{N}]/u.test(withoutEntities(last))) return end;
    end -= last.length;
  }
  return 0;
}

/** Content-ID has an identifier, and `start` of multipart/related (RFC 2387 section 3.2). */
function withIds(field: HeaderField, replace: (id: string) => string): HeaderField {
  if (field.name === "content-id") return { ...field, raw: field.raw.replaceAll(/[^\s<>]+/g, replace) };
  if (field.name !== "content-type") return field;
  const raw = field.raw.replace(
    /(;\s*start\s*=\s*"?<?)([^\s<>";]+)/i,
    (_, before: string, id: string) => before + replace(id),
  );
  return { ...field, raw };
}

/** Without what stands around it: the scheme of a URL, and punctuation behind its domain. */
function comparableId(id: string): string {
  return comparableAddress(/^(?:cid:)?(.*@[\p{L}\p{N}_.-]*[\p{L}\p{N}])/isu.exec(id)?.[1] ?? id);
}

/** Twice: programs encode an identifier itself too, and a reference to such a one then is encoded once more. */
function percentDecoded(id: string): string {
  return onceDecoded(onceDecoded(id));
}

function onceDecoded(id: string): string {
  return id.replaceAll(/(?:%[\da-f]{2})+/gi, (octets) =>
    Buffer.from(octets.replaceAll("%", ""), "hex").toString("utf8"),
  );
}

/**
 * Programs make them at the domain of their user's address, as they do Message-IDs. What is before the domain stays as it is encoded, so
 * that an identifier and a reference to it are changed alike.
 */
function outsideId(id: string, { authorDomain, proxyDomain, ownAddresses }: ContentIdRewriting): string {
  const [, local, encodedDomain] = /^(.*)(?:@|%(?:25)?40)(.*)$/s.exec(id) ?? [];
  if (local === undefined || encodedDomain === undefined) return id;
  const domain = percentDecoded(bytesAsText(encodedDomain));
  if (!areAligned(domainOf(withAsciiDomain(`@${domain}`)), authorDomain)) return id;
  const compared = comparableAddress(`${percentDecoded(local)}@${domain}`);
  if (ownAddresses.some((address) => compared.endsWith(comparableAddress(address)))) return id;
  return `${local}@${proxyDomain}`;
}
