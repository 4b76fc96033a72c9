import { type HeaderField, parseFields } from "../../message/header/fields.ts";
import { splitMessage } from "../../message/header/section.ts";
import { readParts } from "./parts.ts";

/** Types of the part with the returned message (RFC 6522 section 3, RFC 6533 section 4), all of it or its header alone. */
const types = ["message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers"];

/** The header section of the message that a bounce returns; empty if it returns none. */
export function returnedHeader(bounce: Buffer): HeaderField[] {
  const part = readParts(bounce).find(({ type }) => types.includes(type));
  return part ? parseFields(splitMessage(part.bytes).header) : [];
}
