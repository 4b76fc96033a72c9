import { type Mailbox, parseAddressList } from "../address/address-list.ts";
import { fieldsNamed, type HeaderField, unfoldedBody } from "./fields.ts";

/** The mailbox of From, where there is one field with one mailbox (RFC 5322 section 3.6.2 allows several). */
export function singleAuthor(fields: readonly HeaderField[]): Mailbox | undefined {
  const [from, ...others] = fieldsNamed(fields, "from");
  if (!from || others.length > 0) return undefined;
  const { mailboxes, isWellFormed } = parseAddressList(unfoldedBody(from));
  return isWellFormed && mailboxes.length === 1 ? mailboxes[0] : undefined;
}
