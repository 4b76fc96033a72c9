import { type Mailbox, parseAddressList } from "../../message/address/address-list.ts";
import { decodeEncodedWords } from "../../message/coding/encoded-words.ts";
import { bytesAsText, fieldsNamed, type HeaderField, textAsBytes, unfoldedBody } from "../../message/header/fields.ts";

/** Somebody whom a header names. */
export interface NamedMailbox {
  readonly address: string;
  /** Decoded. */
  readonly name: string;
  /** Not only named in To or Cc. */
  readonly invitesReplies: boolean;
}

/** Fields with lists of addresses that an owner may answer to, in the order in which they get contacts. */
export const addressFields = ["from", "reply-to", "to", "cc"] as const;
/** Fields with URLs that may be `mailto:` (RFC 2369). */
export const listFields = [
  "list-post",
  "list-unsubscribe",
  "list-subscribe",
  "list-owner",
  "list-help",
  "list-archive",
] as const;

/** That bindings is asked for of one message. */
export const mailboxLimit = 1_000;

/** Whom the header of a message names, each once. */
export function namedMailboxes(fields: readonly HeaderField[]): NamedMailbox[] {
  const invited = new Set(
    ["from", "reply-to"].flatMap((name) => fieldsNamed(fields, name).flatMap(mailboxesOf)).map(keyOf),
  );
  const lists = addressFields.flatMap((name) => fieldsNamed(fields, name).flatMap(mailboxesOf));
  const posts = listFields.flatMap((name) => fieldsNamed(fields, name).flatMap(mailtoAddressesOf));
  const postKeys = new Set(posts.map((address) => address.toLowerCase()));
  const named = [
    ...lists.map((mailbox) => ({
      address: addressOf(mailbox),
      name: decodeEncodedWords(bytesAsText(mailbox.displayName)),
      invitesReplies: invited.has(keyOf(mailbox)) || postKeys.has(keyOf(mailbox)),
    })),
    ...posts.map((address) => ({ address, name: "", invitesReplies: true })),
  ];
  const byAddress = new Map(named.toReversed().map((each) => [each.address.toLowerCase(), each]));
  return [...byAddress.values()].reverse().slice(0, mailboxLimit);
}

/** Those with an address. */
export function mailboxesOf(field: HeaderField): Mailbox[] {
  return parseAddressList(unfoldedBody(field)).mailboxes.filter(({ localPart, domain }) => localPart && domain);
}

export function addressOf({ localPart, domain }: Pick<Mailbox, "localPart" | "domain">): string {
  return bytesAsText(`${localPart}@${domain}`);
}

function keyOf(mailbox: Mailbox): string {
  return addressOf(mailbox).toLowerCase();
}

/** A URL of a list field: `<mailto:list@example.org?subject=x>`. */
interface ListUrl {
  readonly url: string;
  /** Of a `mailto:` URL; undefined for others. */
  readonly address: string | undefined;
  /** Subject and body alone, with the "?"; "" if there is neither. Other fields would send the owner's mail past the reverse address. */
  readonly query: string;
}

export function listUrlsOf(field: HeaderField): ListUrl[] {
  return [...unfoldedBody(field).matchAll(/<([^<>]{1,2000})>/g)].map(([, text = ""]) => {
    const url = text.replaceAll(/\s+/g, "");
    const [, path, query = ""] = /^mailto:([^?]*)(\?.*)?$/i.exec(url) ?? [];
    return { url, address: path === undefined ? undefined : percentDecoded(path), query: harmlessQuery(query) };
  });
}

/** Line ends in a subject begin another field in some programs. */
function harmlessQuery(query: string): string {
  const kept = query
    .slice(1)
    .split("&")
    .filter((each) => /^(?:subject|body)=/i.test(each))
    .map((each) => (/^subject/i.test(each) ? each.replaceAll(/%0[ad]/gi, "") : each));
  return kept.length === 0 ? "" : `?${kept.join("&")}`;
}

function mailtoAddressesOf(field: HeaderField): string[] {
  return listUrlsOf(field).flatMap(({ address }) => (address?.includes("@") ? [address] : []));
}

function percentDecoded(text: string): string {
  const bytes = textAsBytes(bytesAsText(text)).replaceAll(/%([\da-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return bytesAsText(bytes);
}
