import { splitAddress } from "../message/address/addr-spec.ts";
import { bytesAsText, foldedBody, type HeaderField } from "../message/header/fields.ts";
import { SmtpRefusal } from "./smtp/refusals.ts";

/** Received fields that a message may have; more are a loop (RFC 5321 section 6.3 wants at least 100). */
const hopLimit = 100;

/**
 * Refuses what goes in circles: by the count of its hops, or because it has been here for the same recipient before.
 * Our own trace is the Received field that forwarder puts on top: `by <service domain> … for <recipient>`.
 * @param addresses the addresses of this message's recipients, as given and as bindings writes them
 * @throws SmtpRefusal tooManyHops or mailLoop.
 */
export function refuseLoops(fields: readonly HeaderField[], addresses: readonly string[], serviceDomain: string): void {
  const traces = fields.filter((field) => field.name === "received");
  if (traces.length > hopLimit) throw new SmtpRefusal("tooManyHops");
  const known = new Set(addresses.map(comparable));
  for (const field of traces) {
    const trace = bytesAsText(foldedBody(field)).replace(/\s+/g, " ");
    const by = / by (\S+)/i.exec(trace)?.[1];
    const recipient = / for <([^<>]*)>/i.exec(trace)?.[1];
    if (by?.toLowerCase() === serviceDomain && recipient && known.has(comparable(recipient)))
      throw new SmtpRefusal("mailLoop");
  }
}

function comparable(address: string): string {
  const { localPart, domain } = splitAddress(address);
  return `${localPart}@${domain}`.toLowerCase();
}
