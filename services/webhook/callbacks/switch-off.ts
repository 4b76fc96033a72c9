import type { bindingsContract } from "../../bindings/contract.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Client } from "../../platform/rpc/contract.ts";

const roundSize = 20;

/**
 * Disables targets that answered 410, by a call to bindings. Returns true if more may be queued.
 * @throws Outage if bindings cannot be reached; the targets that remain stay queued.
 */
export async function switchOffGoneTargets(
  db: Database,
  bindings: Pick<Client<typeof bindingsContract>, "switchOffCallback">,
): Promise<boolean> {
  const { rows } = await db.query<{ bindingId: string; url: string }>(
    "select binding_id, url from switch_off order by asked_at limit $1",
    [roundSize],
  );
  for (const { bindingId, url } of rows) {
    try {
      await bindings.switchOffCallback({ bindingId, callbackUrl: url });
    } catch (error) {
      // A refusal is an answer as well: the binding is there no more, or calls another URL.
      if (!(error instanceof Refusal)) throw error;
    }
    await db.query("delete from switch_off where binding_id = $1 and url = $2", [bindingId, url]);
  }
  return rows.length === roundSize;
}
