import { createHash } from "node:crypto";

/**
 * An id that is derived from another one and some parts, such as a domain's id, its epoch and an address: whoever derives it gets the
 * same one. Its time is that of the id it is derived from, so that ids still sort by time.
 */
export function derivedId(id: string, ...parts: readonly (string | number)[]): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([id, ...parts]))
    .digest("hex");
  const [time = "", rest = ""] = id.split("-", 2);
  return `${time}-${rest}-7${digest.slice(0, 3)}-a${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}
