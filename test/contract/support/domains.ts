import type { TestAccount } from "./accounts.ts";
import type { Json } from "./ask.ts";

export const domainsPath = "/api/postern/v1/domains";

let count = 0;

/** A name that nobody else has in this run. */
export function freshDomain(): string {
  count += 1;
  return `own-${process.pid}-${Date.now()}-${count}.example`;
}

/** Adds a domain for somebody. */
export async function addedDomain(
  who: TestAccount,
  name = freshDomain(),
): Promise<{ id: string; name: string; domain: Json }> {
  const answer = await who.ask("POST", domainsPath, { name });
  if (answer.status !== 201) throw new Error(`adding a domain answered ${answer.status}: ${answer.text}`);
  const domain = answer.body["data"] ?? {};
  return { id: String(domain["id"]), name, domain };
}
