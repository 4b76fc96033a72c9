import type { Transaction } from "../../platform/db/types.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import { ensurePostmaster, releaseAddresses } from "./bindings-of-domain.ts";
import { publishChange } from "./events.ts";
import { sendDomainNotice } from "./notices.ts";
import { type Evaluation, isProofOf } from "./records.ts";
import { claimEpoch, type DomainRow } from "./rows.ts";
import { afterCheck, isProved, type Proof } from "./state.ts";

interface Check {
  readonly evaluation: Evaluation;
  /**
   * The texts at _postern.<name>, asked twice: the same answer both times, or none. Undefined where they were asked once, since nobody else
   * had proved the domain then.
   */
  readonly ownershipTexts: readonly string[] | undefined;
  readonly now: Date;
  readonly serviceName: string;
  readonly domains: ServedDomains;
}

interface CheckOutcome {
  readonly domain: DomainRow;
  /** Another account proved the domain, and its record is still there. */
  readonly isContested: boolean;
}

/** The account that proved a domain, if it is another one. */
export function holderAmong(sameName: readonly DomainRow[], id: string): DomainRow | undefined {
  return sameName.find((domain) => domain.id !== id && isProved(domain.state));
}

/** What a check makes of a domain. All accounts' domains of its name are locked; the row of the domain is written by the caller. */
export async function applyCheck(
  tx: Transaction,
  sameName: readonly DomainRow[],
  before: DomainRow,
  check: Check,
): Promise<CheckOutcome> {
  const { evaluation, now, serviceName } = check;
  const holder = holderAmong(sameName, before.id);
  const proof = proofOver(holder, before, check);
  const isContested = holder !== undefined && evaluation.proof === "proved" && proof !== "proved";
  const { condition, notice } = afterCheck(before, proof, now);
  const publishedSelectors = selectorsAfter(before, evaluation);
  const domain = { ...before, ...condition, publishedSelectors };
  if (holder && proof === "proved") await transfer(tx, holder, serviceName);
  if (!isProved(before.state) && isProved(domain.state)) {
    domain.epoch = await claimEpoch(tx, domain.name, domain.ownerId);
    await releaseAddresses(tx, domain.name, domain.ownerId);
  }
  if (isProved(domain.state) && proof === "proved") await ensurePostmaster(tx, domain, check.domains);
  if (hasChanged(before, domain)) await publishChange(tx, domain);
  if (notice) {
    const { ownerId, name } = domain;
    await sendDomainNotice(tx, { kind: notice, ownerId, name, records: evaluation.records, serviceName });
  }
  return { domain, isContested };
}

/** A domain that another account has proved needs that one's record to be gone, by an answer that was given twice. */
function proofOver(holder: DomainRow | undefined, { token }: DomainRow, { evaluation, ownershipTexts }: Check): Proof {
  if (!holder || evaluation.proof !== "proved") return evaluation.proof;
  // Somebody else has proved it since: the next check asks twice.
  if (!ownershipTexts) return "unknown";
  const isGone = isProofOf(token, ownershipTexts) && !isProofOf(holder.token, ownershipTexts);
  return isGone ? "proved" : "unknown";
}

async function transfer(tx: Transaction, former: DomainRow, serviceName: string): Promise<void> {
  const { id, ownerId, name } = former;
  await tx.query(
    `update domain set state = 'removed', failures = 0, failing_since = null, broken_at = null, notices_sent = 0,
            published_selectors = '{}' where id = $1`,
    [id],
  );
  await publishChange(tx, { ...former, state: "removed", publishedSelectors: [] });
  await sendDomainNotice(tx, { kind: "taken-over", ownerId, name, records: [], serviceName });
}

function selectorsAfter(before: DomainRow, { published, unpublished, selectors }: Evaluation): string[] {
  const known = before.publishedSelectors.filter((selector) => selectors?.includes(selector) ?? true);
  const kept = known.filter((selector) => !unpublished.includes(selector));
  return [...new Set([...kept, ...published])].sort();
}

function hasChanged(before: DomainRow, after: DomainRow): boolean {
  const isSame = before.state === after.state && before.epoch === after.epoch;
  return !isSame || before.publishedSelectors.join(" ") !== after.publishedSelectors.join(" ");
}
