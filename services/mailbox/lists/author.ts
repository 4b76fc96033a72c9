import { parseAddressList } from "../../message/address/address-list.ts";
import { decodeEncodedWords } from "../../message/coding/encoded-words.ts";
import { bytesAsText, fieldsNamed, type HeaderField, unfoldedBody } from "../../message/header/fields.ts";
import { oneLine } from "./single-line-text.ts";

/** Whom From names. */
export interface Author {
  readonly name: string;
  readonly address: string;
}

const nameLimit = 200;
/** RFC 5321 section 4.5.3.1: a local part of 64 octets, a domain of 255. */
const addressLimit = 320;
/** Whoever writes more into From wants its reader to work. */
const fieldLimit = 8_192;

/**
 * The first mailbox of the last From; null where there is none. The field is parsed before its encoded-words are decoded
 * (RFC 2047 section 6.2): what is encoded is never part of the address.
 */
export function listedAuthor(fields: readonly HeaderField[]): Author | null {
  const field = fieldsNamed(fields, "from").at(-1);
  const [mailbox] = field ? parseAddressList(bytesAsText(unfoldedBody(field)).slice(0, fieldLimit)).mailboxes : [];
  if (!mailbox) return null;
  const address = mailbox.domain === "" ? mailbox.localPart : `${mailbox.localPart}@${mailbox.domain}`;
  return {
    name: oneLine(decodeEncodedWords(mailbox.displayName), nameLimit),
    address: oneLine(address, addressLimit),
  };
}
