-- For lists of the calls of one binding, and of those that failed.
alter table event_call add column binding_id uuid generated always as ((body::jsonb ->> 'bindingId')::uuid) stored;
create index event_call_of_binding on event_call (owner_id, binding_id, received_at, id) where binding_id is not null;
create index event_call_failed on event_call (owner_id, received_at, id) where state in ('given_up', 'cancelled');
