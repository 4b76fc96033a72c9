import { type HeaderField, headerEnd, readFields } from "../message/header-section.ts";
import { readParts } from "../message/parts.ts";

/** Types of the part with the returned message (RFC 6522 section 3, RFC 6533 section 4), all of it or its header alone. */
const types = ["message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers"];

/** The header section of the message that a bounce returns; empty if it returns none. */
export function returnedHeader(bounce: Buffer): HeaderField[] {
  const part = readParts(bounce).find(({ type }) => types.includes(type));
  if (!part) return [];
  const message = Buffer.from(part.content.replaceAll(/\r?\n/g, "\r\n"), "latin1");
  return readFields(message.subarray(0, headerEnd(message) ?? message.length));
}
