import { dayMs } from "../../platform/durations.ts";
import type { PublishedKey } from "./key-pair.ts";

/** A key of an own domain, as it is stored. */
export interface StoredKey extends PublishedKey {
  /** Its moment to sign has come. */
  isDue: boolean;
  /** Its record was found. */
  isPublished: boolean;
  signingSince: Date | null;
}

/**
 * current: signs once its record is found. next: signs in place of the current one, once its record is found and its moment
 * has come. former: its record stays while mail that it signed is under way.
 */
type KeyStage = "current" | "next" | "former";

/** A key of an own domain, as it is to be published. */
export interface DomainKey extends PublishedKey {
  stage: KeyStage;
  /** Of a former key: its record may go afterwards. */
  keepUntil: Date | null;
}

/** @param keys of one domain, in the order in which they sign. @param retiredDays how long a former key's record stays */
export function withStages(keys: readonly StoredKey[], retiredDays: number): DomainKey[] {
  return keys.map((key) => {
    const sameAlgorithm = keys.filter(({ algorithm }) => algorithm === key.algorithm);
    const current = currentOf(sameAlgorithm);
    const order = sameAlgorithm.indexOf(key) - (current ? sameAlgorithm.indexOf(current) : 0);
    const { selector, algorithm, publicKey } = key;
    const stage = order === 0 ? "current" : order > 0 ? "next" : "former";
    const keepUntilMs = (current?.signingSince?.getTime() ?? Date.now()) + retiredDays * dayMs;
    return { selector, algorithm, publicKey, stage, keepUntil: stage === "former" ? new Date(keepUntilMs) : null };
  });
}

/** The one that signs. While none is found: the last that signed, or the first that is to. */
function currentOf(keys: readonly StoredKey[]): StoredKey | undefined {
  const due = keys.filter(({ isDue }) => isDue);
  return (
    due.findLast(({ isPublished }) => isPublished) ??
    due.findLast(({ signingSince }) => signingSince) ??
    due[0] ??
    keys[0]
  );
}
