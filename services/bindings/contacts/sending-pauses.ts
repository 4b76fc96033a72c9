import { topics } from "../../../proto/topics.ts";
import { consumer } from "../../platform/events/consumer.ts";

/** Whether forwarder paused what an account sends, as an SQL condition. @param accountId an SQL expression */
export function isSendingPaused(accountId: string): string {
  return `exists (select from paused_sending where paused_sending.owner_id = ${accountId})`;
}

/** Keeps which accounts are paused: their mail is refused for the time being, so that its author learns of it at once. */
export const recordPausedSending = consumer(topics.sendingSwitched, async (tx, events) => {
  const last = new Map(events.map(({ message }) => [message.accountId, message.isPaused]));
  const accounts = (isPaused: boolean) => [...last].filter(([, each]) => each === isPaused).map(([id]) => id);
  // The event may come after account.closed.
  await tx.query(
    `insert into paused_sending (owner_id) select id from unnest($1::uuid[]) as account (id)
      where not exists (select from owner where owner.id = account.id and closed_at is not null) order by id on conflict do nothing`,
    [accounts(true)],
  );
  await tx.query("delete from paused_sending where owner_id = any ($1::uuid[])", [accounts(false)]);
});
