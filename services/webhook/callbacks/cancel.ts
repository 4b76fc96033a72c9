import type { Transaction } from "../../platform/db/types.ts";
import { publish } from "../../platform/events/outbox/outbox.ts";
import { type OutcomeRow, outcomeColumns, outcomeOf } from "./outcome-events.ts";

const cancelled = `state = 'cancelled', worker_id = null, lease_until = null, settled_at = now()`;

/** Cancels the waiting callbacks of bindings that were removed. */
export async function cancelForBindings(tx: Transaction, bindingIds: readonly string[]): Promise<void> {
  const { rows } = await tx.query<OutcomeRow>(
    `update callback set ${cancelled} where binding_id = any ($1::uuid[]) and state = 'waiting'
     returning ${outcomeColumns}, 'The binding was removed.' as response, false as is_attempt`,
    [bindingIds],
  );
  await tx.query("delete from switch_off where binding_id = any ($1::uuid[])", [bindingIds]);
  await publish(tx, rows.flatMap(outcomeOf));
}

/**
 * The targets of these emails answered 410: cancels the other waiting callbacks of the same binding and URL, and queues the
 * call that disables the target in bindings (see goneTargetWork).
 */
export async function cancelForGoneTargets(tx: Transaction, emailIds: readonly string[]): Promise<void> {
  if (emailIds.length === 0) return;
  await tx.query(
    `insert into switch_off (binding_id, url)
     select distinct binding_id, url from callback where email_id = any ($1::uuid[]) order by 1, 2 on conflict do nothing`,
    [emailIds],
  );
  const { rows } = await tx.query<OutcomeRow>(
    `update callback set ${cancelled}
     from (select distinct binding_id, url from callback where email_id = any ($1::uuid[])) as gone
     where callback.binding_id = gone.binding_id and callback.url = gone.url and callback.state = 'waiting'
     returning ${outcomeColumns}, 'The target said that it is gone (410).' as response, false as is_attempt`,
    [emailIds],
  );
  await publish(tx, rows.flatMap(outcomeOf));
}
