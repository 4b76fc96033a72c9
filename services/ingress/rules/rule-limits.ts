import type { Limit, Limits } from "../../platform/security/rate-limits.ts";

/** The size of the bucket. A message takes points / perHour of it; a rule's highest limit is 100,000, so rounding costs no message. */
const points = 1e10;

interface LimitingRule {
  readonly ownerId: string;
  readonly ruleId: string;
  readonly perHour: number;
}

/** Counts messages that rules limit, over all replicas: one counter for each rule, gone an hour after its first message. */
export class RuleLimits {
  readonly #limit: Limit;

  constructor(limits: Limits) {
    this.#limit = limits.limit({ name: "rule", points, windowS: 3_600 });
  }

  /** Counts a message. @returns whether it is within the limit */
  async consume(rule: LimitingRule): Promise<boolean> {
    const { perHour } = rule;
    if (perHour <= 0) return false;
    const { isAllowed } = await this.#limit.consume(keyOf(rule), Math.floor(points / perHour));
    return isAllowed;
  }

  /** Whether there is room for one more, as far as it is known before it is counted: naming a recipient costs a sender nothing. */
  async hasRoom(rule: LimitingRule): Promise<boolean> {
    return rule.perHour > 0 && (await this.#limit.check(keyOf(rule))).isAllowed;
  }
}

function keyOf({ ownerId, ruleId, perHour }: LimitingRule): string {
  return `${ownerId} ${ruleId} ${perHour}`;
}
