import { topics } from "../../../proto/topics.ts";
import { consumer } from "../../platform/events/consumer.ts";

/** Whether mailbox said that an account's storage is full, as an SQL condition. @param accountId an SQL expression */
export function isStorageFull(accountId: string): string {
  return `exists (select from full_storage where full_storage.owner_id = ${accountId})`;
}

/** Records which accounts have full storage, so that resolving an address needs no call to another service. */
export const recordFullStorage = consumer(topics.accountStorage, async (tx, events) => {
  const latest = [...new Map(events.map(({ message }) => [message.accountId, message.isFull]))];
  const idsOf = (wanted: boolean) => latest.filter(([, isFull]) => isFull === wanted).map(([id]) => id);
  // The event may come after account.closed.
  await tx.query(
    `insert into full_storage (owner_id) select id from unnest($1::uuid[]) as account (id)
      where not exists (select from owner where owner.id = account.id and closed_at is not null) on conflict do nothing`,
    [idsOf(true)],
  );
  await tx.query("delete from full_storage where owner_id = any ($1::uuid[])", [idsOf(false)]);
});
