import type { Forward } from "../deliveries/delivery.ts";

/**
 * Whether the author of a message may be told that it failed. Only where the domain of the author is proved, or a stranger
 * could have us write to whom he likes (backscatter); and where it was proved by DKIM alone, only if the envelope sender
 * belongs to it or passed SPF by itself, since that is where the report goes.
 */
export function mayReport(delivery: Forward, isAnswerable: boolean, serviceDomain: string): boolean {
  const { authentication, envelopeSender } = delivery;
  if (!isAnswerable || !authentication) return false;
  if (!envelopeSender.includes("@") || isMachine(envelopeSender)) return false;
  const domain = domainIn(envelopeSender);
  if (isWithin(domain, serviceDomain)) return false;
  if (authentication.isSpfAligned) return true;
  const { authorDomain, spf, isDkimAligned } = authentication;
  const isTheirs = isWithin(domain, authorDomain) || isWithin(authorDomain, domain);
  return isDkimAligned && (spf === "pass" || isTheirs);
}

/** RFC 3834 section 2: senders that nobody reads. */
function isMachine(address: string): boolean {
  return /^(?:mailer-daemon|owner-.*|.*-(?:request|owner|bounces?))@/i.test(address);
}

function domainIn(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}

function isWithin(inner: string, outer: string): boolean {
  return outer.includes(".") && (inner === outer || inner.endsWith(`.${outer}`));
}
