import type { z } from "zod";
import type { Database } from "../../platform/db/types.ts";
import { isId } from "../../platform/ids.ts";
import type { bindingsContract } from "../contract.ts";
import { checkBindingRestrictions } from "../key-restrictions/check-restrictions.ts";
import { lockOwner } from "../owners/owners.ts";
import { noSuchBinding } from "./rows.ts";

type Toggle = z.output<typeof bindingsContract.procedures.toggle.input>;

/**
 * Switches all real addresses of a binding off; or, where all are off, those on again that this switched off, or all if it was not this.
 * One that is already as wanted stays as it is.
 * @throws Refusal NotFound, Forbidden where it is outside a key's restrictions
 */
export async function toggleBinding(
  db: Database,
  { ownerId, id, isEnabled, apiKey }: Toggle,
): Promise<{ isEnabled: boolean }> {
  if (!isId(id)) throw noSuchBinding();
  return db.tx(async (tx) => {
    await lockOwner(tx, ownerId, noSuchBinding);
    const { rowCount } = await tx.query("update binding set updated_at = now() where id = $1 and owner_id = $2", [
      id,
      ownerId,
    ]);
    if (rowCount === 0) throw noSuchBinding();
    await checkBindingRestrictions(tx, { ownerId, bindingId: id, apiKey });
    const { rows } = await tx.query<{ isEnabled: boolean }>(
      `with former as (
         select bool_or(is_enabled) as was_on, bool_or(was_toggled_off) as is_known from real_address where binding_id = $1)
       update real_address set was_toggled_off = was_on and is_enabled, is_enabled = not was_on and (was_toggled_off or not is_known),
              suspended_at = case when was_on or not (was_toggled_off or not is_known) then suspended_at end
         from former where binding_id = $1 and was_on is distinct from $2 returning is_enabled`,
      [id, isEnabled ?? null],
    );
    return { isEnabled: rows.length === 0 ? isEnabled === true : rows.some((each) => each.isEnabled) };
  });
}
