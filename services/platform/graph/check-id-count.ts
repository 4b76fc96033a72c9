import { Refusal } from "../errors.ts";

const most = 100;

/** Ids that a mutation takes at once. @throws Refusal ValidationFailed for more than 100 */
export function fewIds(ids: readonly string[], field = "emailIds"): string[] {
  if (ids.length > most) throw new Refusal("ValidationFailed", { field, public: `must be ${most} at most.` });
  return [...ids];
}
