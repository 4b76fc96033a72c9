import type { AuthorVerdict } from "./author-verdict.ts";
import type { VerificationResult } from "./verify-message.ts";

/** The results of SPF, DKIM, DMARC and ARC that other services need. */
export interface Verdict {
  /** The value of an Authentication-Results field (RFC 8601), folded. */
  readonly results: string;
  readonly spf: string;
  /** pass, fail, none, temperror or permerror; of several authors the strictest. */
  readonly dmarc: string;
  /** The policy of the author's domain, the strictest of several: none, quarantine or reject; "" if there is none. */
  readonly policy: string;
  /** The domain of From; "" if there is not exactly one. */
  readonly authorDomain: string;
  /** SPF passed and is aligned with every author's domain. */
  readonly isSpfAligned: boolean;
  /** Every author's domain has a passing aligned signature. */
  readonly isDkimAligned: boolean;
  /** The state of the ARC chain as it came: none, pass or fail. */
  readonly arc: string;
  /** From must become the proxy address, regardless of the DMARC policy: see OwnNameUse. */
  readonly mustReplaceFrom: boolean;
}

/** For a message that could not be evaluated. */
export const noVerdict: Verdict = {
  results: "",
  spf: "none",
  dmarc: "none",
  policy: "",
  authorDomain: "",
  isSpfAligned: false,
  isDkimAligned: false,
  arc: "none",
  mustReplaceFrom: false,
};

interface EvaluatedAuthors {
  readonly verdicts: readonly AuthorVerdict[];
  /** Authors.isUnreadable. */
  readonly isUnreadable: boolean;
  readonly mustReplaceFrom: boolean;
}

export function verdictOf({ results, spf, arc }: VerificationResult, authors: EvaluatedAuthors): Verdict {
  const { verdicts, isUnreadable, mustReplaceFrom } = authors;
  const outcome = worstOutcome(verdicts);
  const isOfAll = (isAligned: (author: AuthorVerdict) => boolean) =>
    !isUnreadable && verdicts.length > 0 && verdicts.every(isAligned);
  const entries = verdicts.map(({ entry }) => entry).filter((entry) => entry !== "");
  if (isUnreadable) entries.push("dmarc=permerror (an author cannot be read)");
  return {
    results: [results, ...entries].join(";\r\n "),
    spf: spf.result,
    dmarc: isUnreadable && outcome !== "fail" ? "permerror" : outcome,
    policy: strictestPolicy(verdicts),
    authorDomain: verdicts.length === 1 && !isUnreadable ? (verdicts[0]?.domain ?? "") : "",
    isSpfAligned: isOfAll((author) => author.isSpfAligned),
    isDkimAligned: isOfAll((author) => author.isDkimAligned),
    arc: arc.status.result,
    mustReplaceFrom,
  };
}

const policies = ["", "none", "quarantine", "reject"];
const outcomes = ["pass", "none", "permerror", "temperror", "fail"];

function strictestPolicy(verdicts: readonly AuthorVerdict[]): string {
  return policies[Math.max(0, ...verdicts.map(({ policy }) => policies.indexOf(policy)))] ?? "";
}

/** The result of the author who did not pass and has the strictest policy. */
function worstOutcome(verdicts: readonly AuthorVerdict[]): string {
  const rank = ({ policy, dmarc }: AuthorVerdict) =>
    dmarc === "pass" ? -1 : policies.indexOf(policy) * outcomes.length + outcomes.indexOf(dmarc);
  return verdicts.toSorted((one, other) => rank(other) - rank(one))[0]?.dmarc ?? "none";
}
