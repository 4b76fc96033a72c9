import { comparableAddress, domainOf, withAsciiDomain } from "../../message/address/addr-spec.ts";
import { bytesAsText, type HeaderField } from "../../message/header/fields.ts";
import { areAligned } from "../../platform/net/organisational-domain.ts";
import { withoutEntities } from "./address-search.ts";

/** Whose identifiers of parts are to name another domain. */
export interface ContentIdRewriting {
  /** Of the author's real address, in A-labels. */
  readonly authorDomain: string;
  /** Of the proxy address, in A-labels. */
  readonly proxyDomain: string;
  /** One that is a real address stays, so that it is found and the answer held. */
  readonly ownAddresses: readonly string[];
}

const reference = /\bcid:[^\s"'<>()[\]]+/gi;
const percentEncodedAt = /%40/g;

/** A field of a part as it leaves: Content-ID, and `start` of multipart/related, which names one (RFC 2387 section 3.2). */
export function withOutsideContentId(field: HeaderField, rewriting: ContentIdRewriting): HeaderField {
  if (field.name === "content-id")
    return { ...field, raw: field.raw.replaceAll(/[^\s<>]+/g, (id) => outsideId(id, rewriting)) };
  if (field.name !== "content-type") return field;
  const raw = field.raw.replace(
    /(;\s*start\s*=\s*"?<?)([^\s<>";]+)/i,
    (_, before: string, id: string) => before + outsideId(id, rewriting),
  );
  return { ...field, raw };
}

/** The same for what refers to parts in a text (RFC 2392). */
export function withOutsideReferences(text: string, rewriting: ContentIdRewriting): string {
  return text.replaceAll(reference, (url) => {
    const id = withoutEntities(url).replaceAll(percentEncodedAt, "@");
    const outside = outsideId(id, rewriting);
    return outside === id ? url : outside;
  });
}

/** Programs make them at the domain of their user's address, as they do Message-IDs. */
function outsideId(id: string, { authorDomain, proxyDomain, ownAddresses }: ContentIdRewriting): string {
  const at = id.lastIndexOf("@");
  if (at === -1 || !areAligned(domainOf(withAsciiDomain(bytesAsText(id.slice(at)))), authorDomain)) return id;
  const compared = comparableAddress(id);
  if (ownAddresses.some((address) => compared.endsWith(comparableAddress(address)))) return id;
  return `${id.slice(0, at)}@${proxyDomain}`;
}
