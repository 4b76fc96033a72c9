import type { z } from "zod";
import { hourMs } from "../../platform/durations.ts";
import type { DomainState as DomainStateSchema } from "./contract.ts";

type DomainState = z.output<typeof DomainStateSchema>;

/** Whether ownership and mail were found published: certain, certainly not, or no certain answer. */
export type Proof = "proved" | "absent" | "unknown";

/** What the next check depends on. */
export interface Condition {
  readonly state: DomainState;
  /** Certain failures since it was last right. */
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly brokenAt: Date | null;
  readonly noticesSent: number;
}

/** What its owner is told by mail. */
type DomainNotice = "broken" | "restored" | null;

/** Before a verified domain counts as broken. */
const failuresNeeded = 3;
const failingMs = 24 * hourMs;
/** When the notices of a broken domain are due, counted from when it broke. */
const noticesAtMs = [0, 72 * hourMs, 7 * 24 * hourMs];

const right = { failures: 0, failingSince: null, brokenAt: null, noticesSent: 0 };

/** Whether a domain is its owner's: mail to it is taken. */
export function isProved(state: DomainState): boolean {
  return state === "verified" || state === "broken";
}

/** The condition after a check, and the notice that follows from it. An unknown proof changes nothing. */
export function afterCheck(before: Condition, proof: Proof, now: Date): { condition: Condition; notice: DomainNotice } {
  if (proof === "unknown") return { condition: before, notice: null };
  if (proof === "proved")
    return { condition: { state: "verified", ...right }, notice: before.state === "broken" ? "restored" : null };
  if (!isProved(before.state)) return { condition: before, notice: null };
  return afterFailure(before, now);
}

function afterFailure(before: Condition, now: Date): { condition: Condition; notice: DomainNotice } {
  const failures = before.failures + 1;
  const failingSince = before.failingSince ?? now;
  const isBroken =
    before.state === "broken" || (failures >= failuresNeeded && now.getTime() - failingSince.getTime() >= failingMs);
  const failing = { ...before, failures, failingSince };
  if (!isBroken) return { condition: failing, notice: null };
  const brokenAt = before.brokenAt ?? now;
  const dueAtMs = noticesAtMs[before.noticesSent];
  const isDue = dueAtMs !== undefined && now.getTime() - brokenAt.getTime() >= dueAtMs;
  const noticesSent = before.noticesSent + (isDue ? 1 : 0);
  return { condition: { ...failing, state: "broken", brokenAt, noticesSent }, notice: isDue ? "broken" : null };
}
