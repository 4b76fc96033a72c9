import type { AuthenticateResult } from "mailauth";
import type { AuthorVerdict } from "./author-verdict.ts";

/** What SPF, DKIM, DMARC and ARC say of a message, as far as others need to know. */
export interface Verdict {
  /** The value of an Authentication-Results field (RFC 8601), folded. */
  readonly results: string;
  readonly spf: string;
  /** pass, fail, none, temperror or permerror; of several authors the strictest. */
  readonly dmarc: string;
  /** What the author's domain asks for where DMARC fails: none, quarantine or reject; "" where it publishes nothing. */
  readonly policy: string;
  /** The domain of From; "" where there is not exactly one. */
  readonly authorDomain: string;
  /** SPF speaks for every author's domain. */
  readonly isSpfAligned: boolean;
  /** Some signature speaks for every author's domain. */
  readonly isDkimAligned: boolean;
  /** The state of the ARC chain as it came: none, pass or fail. */
  readonly arc: string;
  /** From has to become the proxy address, whatever the author's policy: see OwnNameClaim. */
  readonly mustReplaceFrom: boolean;
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
  mustReplaceFrom: false,
};

export interface AuthorsJudged {
  readonly verdicts: readonly AuthorVerdict[];
  /** Whether there is an author besides who cannot be read. */
  readonly isUnreadable: boolean;
  readonly mustReplaceFrom: boolean;
}

/** @param result without DMARC, which is judged for each author */
export function verdictOf({ headers, spf, arc }: AuthenticateResult, authors: AuthorsJudged): Verdict {
  const { verdicts, isUnreadable, mustReplaceFrom } = authors;
  const outcome = worstOutcome(verdicts);
  const isOfAll = (isAligned: (author: AuthorVerdict) => boolean) =>
    !isUnreadable && verdicts.length > 0 && verdicts.every(isAligned);
  const entries = verdicts.map(({ entry }) => entry).filter((entry) => entry !== "");
  if (isUnreadable) entries.push("dmarc=permerror (an author cannot be read)");
  const results = /^Authentication-Results: (.*(?:\r\n[ \t].*)*)/m.exec(headers)?.[1] ?? "";
  return {
    results: [results, ...entries].join(";\r\n "),
    spf: spf ? spf.status.result : "none",
    dmarc: isUnreadable && outcome !== "fail" ? "permerror" : outcome,
    policy: strictestPolicy(verdicts),
    authorDomain: verdicts.length === 1 && !isUnreadable ? (verdicts[0]?.domain ?? "") : "",
    isSpfAligned: isOfAll((author) => author.isSpfAligned),
    isDkimAligned: isOfAll((author) => author.isDkimAligned),
    arc: arc ? arc.status.result : "none",
    mustReplaceFrom,
  };
}

const policies = ["", "none", "quarantine", "reject"];
const outcomes = ["pass", "none", "permerror", "temperror", "fail"];

function strictestPolicy(verdicts: readonly AuthorVerdict[]): string {
  return policies[Math.max(0, ...verdicts.map(({ policy }) => policies.indexOf(policy)))] ?? "";
}

/** Of the author who did not pass and whose policy asks for most. */
function worstOutcome(verdicts: readonly AuthorVerdict[]): string {
  const rank = ({ policy, dmarc }: AuthorVerdict) =>
    dmarc === "pass" ? -1 : policies.indexOf(policy) * outcomes.length + outcomes.indexOf(dmarc);
  return verdicts.toSorted((one, other) => rank(other) - rank(one))[0]?.dmarc ?? "none";
}
