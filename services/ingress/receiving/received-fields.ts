import { splitAddress } from "../../message/address/addr-spec.ts";
import { bytesAsText, foldedBody, type HeaderField } from "../../message/header/fields.ts";
import { SmtpRefusal } from "../smtp/refusals.ts";

/** Received fields that a message may have; more are a loop (RFC 5321 section 6.3 wants at least 100). */
const hopLimit = 100;
/** Times that a message may come here. Each recipient has up to ten targets, which may be proxy addresses of ours or of another such service. */
const passLimit = 3;

/**
 * Refuses mail loops: too many Received fields, too many of our own, or one of these for the same recipient. Ours is added by forwarder:
 * `by <service domain> … for <recipient>`.
 * @param addresses the recipients of this message, as given and as proxy addresses
 * @throws SmtpRefusal tooManyHops or mailLoop.
 */
export function refuseLoops(fields: readonly HeaderField[], addresses: readonly string[], serviceDomain: string): void {
  const receivedFields = fields.filter((field) => field.name === "received");
  if (receivedFields.length > hopLimit) throw new SmtpRefusal("tooManyHops");
  const known = new Set(addresses.map(comparable));
  let passes = 0;
  for (const field of receivedFields) {
    const value = bytesAsText(foldedBody(field)).replace(/\s+/g, " ");
    const by = / by (\S+)/i.exec(value)?.[1];
    if (by?.toLowerCase() !== serviceDomain) continue;
    passes += 1;
    const recipient = / for <([^<>]*)>/i.exec(value)?.[1];
    const isAgain = recipient !== undefined && recipient !== "" && known.has(comparable(recipient));
    if (isAgain || passes >= passLimit) throw new SmtpRefusal("mailLoop");
  }
}

function comparable(address: string): string {
  const { localPart, domain } = splitAddress(address);
  return `${localPart}@${domain}`.toLowerCase();
}
