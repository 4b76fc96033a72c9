import type { ARCResult, DNSResolver } from "mailauth";
import { areAligned } from "../../platform/net/organisational-domain.ts";
import type { DmarcResults } from "./dmarc-results.ts";
import type { VerificationResult } from "./verify-message.ts";

/** A domain that SPF or a DKIM signature authenticates (RFC 7489 section 3.1), and the result. */
interface Identifier {
  readonly domain: string;
  readonly result: string;
  /** Octets of the body that are not signed, by `l=`. */
  readonly underSized?: number;
}

/** What DMARC compares with the domains of From. */
export interface Identifiers {
  readonly spf: Identifier | undefined;
  readonly dkim: readonly Identifier[];
  readonly arc: ARCResult | undefined;
}

/** The result of DMARC for one author's domain. */
export interface AuthorVerdict {
  readonly domain: string;
  /** pass, fail, none, temperror or permerror. */
  readonly dmarc: string;
  /** The domain's policy: none, quarantine or reject; "" if it publishes none. */
  readonly policy: string;
  /** False with pct=0: the policy is to be reported, not applied (RFC 7489 section 6.6.4). */
  readonly isPolicyInForce: boolean;
  readonly isSpfAligned: boolean;
  readonly isDkimAligned: boolean;
  /** Whether the sender is authenticated as the domain; unknown if a lookup failed temporarily that could have proved it. */
  readonly proof: "proved" | "unproved" | "unknown";
  /** Its entry in Authentication-Results. */
  readonly entry: string;
}

export function identifiersOf({ spf, dkim, arc }: VerificationResult): Identifiers {
  return {
    spf: { domain: comparable(spf.domain), result: spf.result },
    dkim: dkim.results.flatMap(({ signingDomain, status }) =>
      signingDomain
        ? [{ domain: comparable(signingDomain), result: status.result, underSized: status.underSized ?? 0 }]
        : [],
    ),
    arc,
  };
}

/** @param domain as authorsOf gives it */
export async function evaluateAuthor(
  domain: string,
  identifiers: Identifiers,
  { dmarc, resolver }: { dmarc: DmarcResults; resolver: DNSResolver },
): Promise<AuthorVerdict> {
  const { spf, dkim, arc } = identifiers;
  const passed = dkim.filter(hasPassed);
  const spfDomain = spf && hasPassed(spf) ? spf.domain : undefined;
  const signatures = passed.map((each) => ({ domain: each.domain, underSized: each.underSized ?? 0 }));
  const found = await dmarc.evaluate({ domain, spfDomain, signatures, arc }, resolver);
  if (!found) return { ...unevaluated(domain), dmarc: "permerror", proof: "unproved" };
  const { result, policy, isPolicyInForce, hasRecord, alignment, info } = found;
  // Without a record: relaxed alignment, DMARC's default.
  const isAligned = (identifier: Identifier) => areAligned(domain, identifier.domain);
  return {
    domain,
    dmarc: result,
    policy,
    isPolicyInForce,
    isSpfAligned: hasRecord ? Boolean(alignment.spf.result) : spf !== undefined && hasPassed(spf) && isAligned(spf),
    isDkimAligned: hasRecord ? Boolean(alignment.dkim.result) : passed.some(isAligned),
    proof: proofOf(result, domain, identifiers),
    entry: info,
  };
}

/** The verdict on a domain that could not be evaluated because of an unexpected error. */
export function unevaluated(domain: string): AuthorVerdict {
  return {
    domain,
    dmarc: "temperror",
    policy: "",
    isPolicyInForce: false,
    isSpfAligned: false,
    isDkimAligned: false,
    proof: "unknown",
    entry: "",
  };
}

function proofOf(result: string, domain: string, { spf, dkim }: Identifiers): AuthorVerdict["proof"] {
  const related = (spf ? [spf, ...dkim] : dkim).filter((identifier) => areAligned(domain, identifier.domain));
  const passed = related.filter(hasPassed);
  // The same domain is aligned in every mode; without a record relaxed alignment is enough.
  if (result === "pass" || passed.some((identifier) => identifier.domain === domain)) return "proved";
  if (result === "none" && passed.length > 0) return "proved";
  const isOpen = related.some((identifier) => identifier.result === "temperror");
  return isOpen || (result === "temperror" && passed.length > 0) ? "unknown" : "unproved";
}

function hasPassed({ result }: Identifier): boolean {
  return result === "pass";
}

function comparable(domain: string): string {
  return domain.toLowerCase().replace(/\.$/, "");
}
