import { domainToASCII } from "node:url";
import { UsageError } from "./command.ts";

/** A domain as deliveries have it. @throws UsageError */
export function destinationOf(word: string): string {
  // What domainToASCII would cut off as the rest of a URL.
  const domain = /[\s/:?#@\\]/.test(word) ? "" : domainToASCII(word);
  if (domain === "") throw new UsageError(`"${word}" is no domain: a destination is what is right of the @`);
  return domain;
}
