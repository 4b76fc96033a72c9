import { domainOf } from "../../message/address/addr-spec.ts";
import { parseAddressList } from "../../message/address/address-list.ts";
import { fieldsNamed, foldedBody, type HeaderField, headerField, unfoldedBody } from "../../message/header/fields.ts";
import { foldedField, formatMailbox, phraseOf } from "./display-phrase.ts";

/**
 * Replaces From: `"Name (address at domain)" <proxy address>`, with no address of ours in the name, and Reply-To the author unless there
 * is one (RFC 5322 section 3.6.2). All other fields stay as they are. Without a From nothing changes.
 * @param proxyAddress as octets, like every string of a field
 * @param ownDomains in A-labels: its domain, and SERVICE_DOMAIN
 */
export function withOwnFrom(
  fields: readonly HeaderField[],
  proxyAddress: string,
  ownDomains: readonly string[] = [domainOf(proxyAddress)],
): readonly HeaderField[] {
  const given = fieldsNamed(fields, "from");
  const [first] = given;
  if (!first) return fields;
  const { entries, mailboxes } = parseAddressList(given.map(unfoldedBody).join(", "));
  const text = mailboxes.map(formatMailbox).join(", ") || entries[0]?.displayName || "";
  const from = foldedField("From", [...phraseOf(text, ownDomains), `<${proxyAddress}>`]);
  const isAnswerable = mailboxes.some(({ domain }) => domain !== "");
  const hasReplyTo = fields.some(({ name }) => name === "reply-to");
  const replyTo = isAnswerable && !hasReplyTo ? [replyToOf(given)] : [];
  return fields.flatMap((each) => {
    if (each === first) return [from, ...replyTo];
    return each.name === "from" ? [] : [each];
  });
}

/** The former bodies of From, folds included; a line that was no fold becomes one. */
function replyToOf(given: readonly HeaderField[]): HeaderField {
  const bodies = given.map((field) =>
    foldedBody(field)
      .trim()
      .replaceAll(/\r?\n(?![ \t])/g, "\r\n "),
  );
  return headerField("Reply-To", bodies.join(",\r\n\t"));
}
