import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { z } from "zod";
import { BindingRemovedSchema } from "../../../proto/gen/postern/bindings/v1/binding_removed_pb.js";
import { topics } from "../../../proto/topics.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { event, publish } from "../../platform/events/outbox/outbox.ts";
import { isId } from "../../platform/ids.ts";
import type { bindingsContract } from "../contract.ts";
import { KeyRestrictions } from "../key-restrictions/key-restrictions.ts";
import { lockOwner } from "../owners/owners.ts";
import { noSuchBinding, selectBindings } from "./rows.ts";

type Removal = z.output<typeof bindingsContract.procedures.remove.input>;

/** Removes a binding. Its address stays allocated to the account. @throws Refusal NotFound, Forbidden where it is outside a key's restrictions */
export async function removeBinding(db: Database, { ownerId, id, apiKey }: Removal): Promise<void> {
  if (!isId(id)) throw noSuchBinding();
  await db.tx(async (tx) => {
    // An account that is not known here yet has no binding.
    await lockOwner(tx, ownerId, noSuchBinding);
    const restrictions = await KeyRestrictions.of(tx, ownerId, apiKey);
    if (restrictions.areSet)
      for (const binding of await selectBindings(tx, "where id = $1 and owner_id = $2", [id, ownerId]))
        restrictions.checkBinding(binding);
    const removed = await removeBindings(tx, "id = $1 and owner_id = $2", [id, ownerId]);
    if (removed === 0) throw noSuchBinding();
  });
}

/** Removes the bindings that an SQL condition holds for, with their real addresses and links, and publishes binding.removed. @returns their number */
export async function removeBindings(tx: Transaction, condition: string, params: readonly unknown[]): Promise<number> {
  const { rows } = await tx.query<{ id: string; ownerId: string; proxyAddress: string }>(
    // Locked in the order of their ids, as the received counter does, so that the two cannot deadlock.
    `delete from binding where id in (select id from binding where ${condition} order by id for update)
     returning id, owner_id, proxy_address`,
    params,
  );
  const removedAt = timestampFromDate(new Date());
  const events = rows.map(({ id, ownerId, proxyAddress }) =>
    event(topics.bindingRemoved, create(BindingRemovedSchema, { bindingId: id, ownerId, proxyAddress, removedAt })),
  );
  await publish(tx, events);
  return rows.length;
}
