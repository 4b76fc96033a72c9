/** What stands for all bindings of an account in mail_day. */
export const wholeAccount = "00000000-0000-0000-0000-000000000000";

/**
 * The end of a statement: adds `change` (owner_id, binding_id, received_at, received, delivered, failed, unread), a row for each email, to
 * the days of its binding and of its account. In the order of the keys, so that no two transactions wait for each other.
 */
export const addToDays = `insert into mail_day as day (owner_id, binding_id, day, received, delivered, failed, unread, last_at)
  select owner_id, scope.binding_id, (received_at at time zone 'UTC')::date, sum(received), sum(delivered), sum(failed), sum(unread),
         max(received_at)
    from change, lateral (values (change.binding_id), ('${wholeAccount}'::uuid)) as scope (binding_id)
   where received <> 0 or delivered <> 0 or failed <> 0 or unread <> 0
   group by 1, 2, 3 order by 1, 2, 3
  on conflict (owner_id, binding_id, day) do update set
         received = day.received + excluded.received, delivered = day.delivered + excluded.delivered,
         failed = greatest(0, day.failed + excluded.failed), unread = greatest(0, day.unread + excluded.unread),
         last_at = greatest(day.last_at, excluded.last_at)`;
