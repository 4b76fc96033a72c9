import { Refusal } from "../errors.ts";

const maxIds = 100;

/** Ids that a mutation takes at once. @throws Refusal ValidationFailed for more than 100 */
export function checkIdCount(ids: readonly string[], field = "emailIds"): string[] {
  if (ids.length > maxIds) throw new Refusal("ValidationFailed", { field, public: `must be ${maxIds} at most.` });
  return [...ids];
}
