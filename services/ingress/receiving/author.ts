import { parseAddressList } from "../../message/address/address-list.ts";
import { decodeEncodedWords } from "../../message/coding/encoded-words.ts";
import { bytesAsText, fieldsNamed, type HeaderField, unfoldedBody } from "../../message/header/fields.ts";

export interface Author {
  readonly address: string;
  /** Decoded. */
  readonly name: string;
}

const nameCharacters = 500;

/** The mailbox of From, where there is one field with one mailbox (RFC 5322 section 3.6.2 allows several). */
export function singleAuthor(fields: readonly HeaderField[]): Author | undefined {
  const [from, ...others] = fieldsNamed(fields, "from");
  if (!from || others.length > 0) return undefined;
  const { mailboxes, isWellFormed } = parseAddressList(unfoldedBody(from));
  const [mailbox] = mailboxes;
  if (!mailbox || !isWellFormed || mailboxes.length > 1) return undefined;
  const { localPart, domain, displayName } = mailbox;
  const name = decodeEncodedWords(bytesAsText(displayName)).slice(0, nameCharacters).toWellFormed();
  return { address: bytesAsText(`${localPart}@${domain}`), name };
}
