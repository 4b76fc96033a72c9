import type { z } from "zod";
import type { Transaction } from "../../platform/db/types.ts";
import { invalidField } from "../../platform/errors.ts";
import { requireScope } from "../../platform/security/scopes.ts";
import type { ServedDomains } from "../addresses/served-domains.ts";
import type { KeyRestrictions as KeyRestrictionsSchema } from "../key-restrictions/contract.ts";
import type { KeyRestrictions } from "../key-restrictions/key-restrictions.ts";
import type { ProxyBinding } from "../proxy-bindings/rows.ts";
import { checkVerifiedTargets } from "../targets/verified-targets.ts";
import { checkPatterns, isFull, listPatterns, savePatterns } from "./domain-patterns.ts";

interface Asked {
  readonly domains: ServedDomains;
  readonly ownerId: string;
  readonly apiKey: z.output<typeof KeyRestrictionsSchema> | undefined;
  readonly restrictions: KeyRestrictions;
}

/**
 * Has mail to every other address of a binding's domain lead where the binding does, where that is the account's own domain and has no
 * such pattern yet; it is the last one, so that others decide first. The owner is locked.
 * @throws Refusal ScopeMissing for a key that may not change domains; Forbidden outside a key's restrictions; ValidationFailed
 */
export async function addCatchAll(
  tx: Transaction,
  { domains, ownerId, apiKey, restrictions }: Asked,
  { id, realAddresses }: ProxyBinding,
): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    "select domain.id from domain join binding on own_domain = name and binding.owner_id = domain.owner_id where binding.id = $1",
    [id],
  );
  const [domain] = rows;
  if (!domain) return;
  const patterns = await listPatterns(tx, ownerId, domain.id);
  if (patterns.some(({ glob }) => glob === "*")) return;
  requireScope({ key: apiKey && { scopes: apiKey.scopes ?? [] } }, "admin");
  if (isFull(patterns)) throw invalidField("addsCatchAll", "the domain has as many patterns as it can have.");
  const targets = await checkVerifiedTargets(tx, domains, {
    ownerId,
    targets: realAddresses.filter(({ isEnabled, isVerified }) => isEnabled && isVerified).map(({ address }) => address),
    fieldOf: () => "realAddresses",
  });
  const extended = [...patterns, { glob: "*", targets, creates: true, perHour: 20 }];
  checkPatterns(restrictions, extended);
  await savePatterns(tx, domain.id, extended);
}
