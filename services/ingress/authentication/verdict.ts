import type { AuthenticateResult } from "mailauth";
import { parseAddress } from "../addresses.ts";

/** What SPF, DKIM, DMARC and ARC say of a message, as far as others need to know. */
export interface Verdict {
  /** The value of an Authentication-Results field (RFC 8601), folded. */
  readonly results: string;
  readonly spf: string;
  /** pass, fail, none, temperror or permerror. */
  readonly dmarc: string;
  /** What the author's domain asks for where DMARC fails: none, quarantine or reject; "" where it publishes nothing. */
  readonly policy: string;
  /** The domain of From; "" where there is not exactly one. */
  readonly authorDomain: string;
  readonly isSpfAligned: boolean;
  readonly isDkimAligned: boolean;
  /** The state of the ARC chain as it came: none, pass or fail. */
  readonly arc: string;
}

/** Of a message that could not be judged: it proves nothing, neither for nor against its sender. */
export const noVerdict: Verdict = {
  results: "",
  spf: "none",
  dmarc: "none",
  policy: "",
  authorDomain: "",
  isSpfAligned: false,
  isDkimAligned: false,
  arc: "none",
};

export function verdictOf(result: AuthenticateResult): Verdict {
  const { headers, dkim } = result;
  const spf = result.spf || undefined;
  const dmarc = result.dmarc || undefined;
  const arc = result.arc || undefined;
  const authorDomain = onlyDomain(dkim.headerFrom);
  const spfDomain = spf?.status.result === "pass" ? spf.domain : "";
  const isDkimAligned = dkim.results.some(({ status }) => status.result === "pass" && status.aligned);
  return {
    results: /^Authentication-Results: (.*(?:\r\n[ \t].*)*)/m.exec(headers)?.[1] ?? "",
    spf: spf?.status.result ?? "none",
    dmarc: dmarc?.status.result ?? "none",
    policy: dmarc?.policy ?? "",
    authorDomain,
    isSpfAligned: dmarc?.rr ? Boolean(dmarc.alignment.spf.result) : areRelated(authorDomain, spfDomain),
    isDkimAligned,
    arc: arc?.status.result ?? "none",
  };
}

function onlyDomain(addresses: readonly string[]): string {
  const domains = new Set(addresses.map((address) => parseAddress(address).domain.toLowerCase()));
  const [domain = ""] = domains;
  return domains.size === 1 ? domain : "";
}

/** Where no DMARC record says what counts as aligned: the same domain, or one within the other. */
function areRelated(author: string, other: string): boolean {
  const [inner = "", outer = ""] = [author, other.toLowerCase()].sort((a, b) => b.length - a.length);
  return outer.includes(".") && (inner === outer || inner.endsWith(`.${outer}`));
}
