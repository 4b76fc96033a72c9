import { type HeaderField, unfoldedValue } from "./header-section.ts";

/**
 * Whether an Authentication-Results field claims to be of our making: as it came from outside, it is forged and must not
 * reach whoever trusts ours (RFC 8601 section 5). The authserv-id is the first thing in it, comments aside, in any case.
 */
export function claimsOurAuthservId(field: HeaderField, serviceDomain: string): boolean {
  if (field.name !== "authentication-results") return false;
  const [, quoted, plain] = /^\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/.exec(withoutComments(unfoldedValue(field))) ?? [];
  const id = quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
  return id.replace(/\.$/, "").toLowerCase() === serviceDomain;
}

/** Comments nest (RFC 5322 section 3.2.2); quoted strings hold none. */
function withoutComments(value: string): string {
  let depth = 0;
  let kept = "";
  for (const [token] of value.matchAll(/"(?:[^"\\]|\\.)*"|\\.|[()]|[^()"\\]+|./gs)) {
    if (token === "(") depth += 1;
    else if (token === ")" && depth > 0) depth -= 1;
    else if (depth === 0) kept += token;
  }
  return kept;
}
