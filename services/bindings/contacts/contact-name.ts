import { bindingLimits } from "../contract.ts";

/** A display name that anybody may have written, as it may be kept. */
export function contactName(name: string): string {
  return name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, bindingLimits.nameCharacters)
    .toWellFormed();
}
