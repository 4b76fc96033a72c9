import { createHash } from "node:crypto";

/**
 * An id that hangs on a domain, its epoch and an address: whoever makes it makes the same one. Its time is that of the domain's id,
 * so that ids still sort by time.
 */
export function derivedId(domainId: string, ...parts: readonly (string | number)[]): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([domainId, ...parts]))
    .digest("hex");
  const [time = "", rest = ""] = domainId.split("-", 2);
  return `${time}-${rest}-7${digest.slice(0, 3)}-a${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}
