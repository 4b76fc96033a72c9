import type { bindingsContract } from "../../bindings/contract.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Client } from "../../platform/rpc/contract.ts";

/**
 * Asks bindings each time, because the owner may have changed it.
 * @throws Refusal NotFound (missing, or another account's); NotBrowsable.
 */
export async function requireBrowsable(
  bindings: Client<typeof bindingsContract>,
  ownerId: string,
  bindingId: string,
): Promise<void> {
  const binding = await bindings.get({ ownerId, id: bindingId });
  if (!binding.isBrowsable) throw notBrowsable();
}

export function notBrowsable(): Refusal {
  return new Refusal("NotBrowsable", {
    public: "The emails of this proxy binding are not kept for reading: it is not browsable.",
  });
}

/** Whether each of the owner's bindings is browsable, by id; missing and other accounts' bindings are absent. */
export async function browsableBindings(
  bindings: Client<typeof bindingsContract>,
  ownerId: string,
  bindingIds: readonly string[],
): Promise<Map<string, boolean>> {
  if (bindingIds.length === 0) return new Map();
  const found = await bindings.getMany({ ownerId, ids: [...bindingIds] });
  return new Map(found.map(({ id, isBrowsable }) => [id, isBrowsable]));
}
