import { comparableAddress, domainOf } from "../../message/address/addr-spec.ts";
import type { Forward } from "../deliveries/delivery.ts";
import type { Original } from "./original.ts";

/**
 * Whether a failure report may be sent to the author of a message. Only if the domain of the author is authenticated: otherwise
 * a forged sender would make us send mail to third parties (backscatter).
 * @param isAnswerable see `isAnswerable`, from when the message was read
 */
export function mayReport(delivery: Forward, isAnswerable: boolean, serviceDomain: string): boolean {
  const { authentication, envelopeSender } = delivery;
  if (!isAnswerable || !authentication) return false;
  if (!envelopeSender.includes("@") || isMachine(envelopeSender)) return false;
  const domain = domainOf(envelopeSender);
  if (isWithin(domain, serviceDomain)) return false;
  return authentication.isSpfAligned || (authentication.isDkimAligned && isWithin(domain, authentication.authorDomain));
}

/**
 * Whether the header of a message lets a report be sent (RFC 3834 section 2). Where its domain is proved by DKIM alone, the
 * report would go to an envelope sender that nothing proves: it must be the author's own address.
 */
export function isAnswerable({ authentication, envelopeSender }: Forward, original: Original): boolean {
  const isProved = authentication?.isSpfAligned || original.author === comparableAddress(envelopeSender);
  return original.isAnswerable && isProved;
}

/** RFC 3834 section 2: addresses of automatic senders, which are not answered. */
function isMachine(address: string): boolean {
  return /^(?:mailer-daemon|owner-.*|.*-(?:request|owner|bounces?))@/i.test(address);
}

function isWithin(inner: string, outer: string): boolean {
  return outer.includes(".") && (inner === outer || inner.endsWith(`.${outer}`));
}
