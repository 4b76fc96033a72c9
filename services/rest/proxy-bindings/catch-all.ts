import type { z } from "zod";
import type { ProxyBinding } from "../../bindings/contract.ts";
import { domainOf } from "../../message/address/addr-spec.ts";
import { requireScope } from "../../platform/security/scopes.ts";
import type { Caller } from "../http/endpoint.ts";
import type { Services } from "../services.ts";

type Binding = z.output<typeof ProxyBinding>;

/**
 * Has mail to every other address of a binding's domain lead where the binding does, where that is the caller's own domain and has no
 * such pattern yet; it is the last one, so that others decide first.
 * @returns what adds it once the binding is changed; undefined where there is none to add
 * @throws Refusal ScopeMissing for a key that may not change domains; what is returned throws as `setDomainPatterns`
 */
export async function catchAllFor(
  { bindings }: Pick<Services, "bindings">,
  caller: Caller,
  { proxyAddress }: Pick<Binding, "proxyAddress">,
): Promise<((changed: Pick<Binding, "realAddresses">) => Promise<unknown>) | undefined> {
  const asked = { ownerId: caller.accountId, apiKey: caller.key };
  const name = domainOf(proxyAddress);
  const domain = (await bindings.domains(asked)).find((each) => each.name === name);
  if (!domain) return undefined;
  const patterns = await bindings.domainPatterns({ ownerId: caller.accountId, id: domain.id });
  if (patterns.some(({ glob }) => glob === "*")) return undefined;
  requireScope(caller, "admin");
  return ({ realAddresses }) => {
    const targets = realAddresses
      .filter(({ isEnabled, isVerified }) => isEnabled && isVerified)
      .map(({ address }) => address);
    const catchAll = { glob: "*", targets, creates: true, perHour: 20 };
    return bindings.setDomainPatterns({ ...asked, id: domain.id, patterns: [...patterns, catchAll] });
  };
}
