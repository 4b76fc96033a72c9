import type { z } from "zod";
import type { ProxyBinding } from "../../bindings/contract.ts";
import { domainOf } from "../../message/address/addr-spec.ts";
import { requireScope } from "../../platform/security/scopes.ts";
import type { Caller } from "../http/endpoint.ts";
import type { Services } from "../services.ts";

/**
 * Has mail to every other address of the binding's domain lead where the binding does, where that is the caller's own domain and has no
 * such pattern yet; it is the last one, so that others decide first.
 * @throws Refusal ScopeMissing for a key that may not change domains, and as `setDomainPatterns`
 */
export async function addCatchAll(
  { bindings }: Pick<Services, "bindings">,
  caller: Caller,
  { proxyAddress, realAddresses }: Pick<z.output<typeof ProxyBinding>, "proxyAddress" | "realAddresses">,
): Promise<void> {
  const asked = { ownerId: caller.accountId, apiKey: caller.key };
  const name = domainOf(proxyAddress);
  const domain = (await bindings.domains(asked)).find((each) => each.name === name);
  if (!domain) return;
  const patterns = await bindings.domainPatterns({ ownerId: caller.accountId, id: domain.id });
  if (patterns.some(({ glob }) => glob === "*")) return;
  requireScope(caller, "admin");
  const targets = realAddresses
    .filter(({ isEnabled, isVerified }) => isEnabled && isVerified)
    .map(({ address }) => address);
  const catchAll = { glob: "*", targets, creates: true, perHour: 20 };
  await bindings.setDomainPatterns({ ...asked, id: domain.id, patterns: [...patterns, catchAll] });
}
