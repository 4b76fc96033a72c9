import { type ARCResult, type AuthenticateResult, type DNSResolver, dmarc } from "mailauth";
import { areAligned } from "../../platform/net/organisational-domain.ts";

/** A domain that SPF or a DKIM signature speaks for, and what it came to. */
interface Identifier {
  readonly domain: string;
  readonly result: string;
  /** Octets of the body that a signature leaves out by its `l=`. */
  readonly underSized?: number;
}

/** What is known of a message's sender before its author is asked for. */
export interface Identifiers {
  readonly spf: Identifier | undefined;
  readonly dkim: readonly Identifier[];
  readonly arc: ARCResult | undefined;
}

/** What DMARC says of one author's domain. */
export interface AuthorVerdict {
  readonly domain: string;
  /** pass, fail, none, temperror or permerror. */
  readonly dmarc: string;
  /** What the domain asks for where DMARC fails: none, quarantine or reject; "" where it publishes nothing. */
  readonly policy: string;
  /** Whether the domain wants that to be done: not with pct=0, which asks only for reports (RFC 7489 section 6.6.4). */
  readonly isPolicyInForce: boolean;
  readonly isSpfAligned: boolean;
  readonly isDkimAligned: boolean;
  /** Whether the domain is proved to be the sender's; unknown while a lookup fails that could have proved it. */
  readonly proof: "proved" | "unproved" | "unknown";
  /** Its entry in Authentication-Results. */
  readonly entry: string;
}

export function identifiersOf({ spf, dkim, arc }: AuthenticateResult): Identifiers {
  return {
    spf: spf ? { domain: comparable(spf.domain), result: spf.status.result } : undefined,
    dkim: dkim.results.flatMap(({ signingDomain, status }) =>
      signingDomain
        ? [{ domain: comparable(signingDomain), result: status.result, underSized: status.underSized ?? 0 }]
        : [],
    ),
    arc: arc || undefined,
  };
}

/** @param domain as authorsOf gives it */
export async function judgeAuthor(
  domain: string,
  identifiers: Identifiers,
  resolver: DNSResolver,
): Promise<AuthorVerdict> {
  const { spf, dkim, arc } = identifiers;
  const passed = dkim.filter(hasPassed);
  const found = await dmarc({
    headerFrom: domain,
    spfDomains: spf && hasPassed(spf) ? [spf.domain] : [],
    dkimDomains: passed.map((each) => ({ domain: each.domain, underSized: each.underSized ?? 0 })),
    ...(arc ? { arcResult: arc } : {}),
    resolver,
    strict: true,
  });
  if (!found) return { ...unjudged(domain), proof: "unproved" };
  const { status, policy = "", rr, alignment, info } = found;
  // Where no record says what counts as aligned, DMARC's own default does.
  const isAligned = (identifier: Identifier) => areAligned(domain, identifier.domain);
  return {
    domain,
    dmarc: status.result,
    policy,
    isPolicyInForce: !/(?:^|;)\s*pct\s*=\s*0+\s*(?:;|$)/i.test(rr ?? ""),
    isSpfAligned: rr ? Boolean(alignment.spf.result) : spf !== undefined && hasPassed(spf) && isAligned(spf),
    isDkimAligned: rr ? Boolean(alignment.dkim.result) : passed.some(isAligned),
    proof: proofOf(status.result, domain, identifiers),
    entry: info,
  };
}

/** Of an author whose domain could not be judged: nothing is known of it. */
export function unjudged(domain: string): AuthorVerdict {
  return {
    domain,
    dmarc: "none",
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
  // The very domain is aligned whatever a record says; without a record so is its organisation's.
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
