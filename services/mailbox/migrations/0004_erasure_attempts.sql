-- When an erasure is due, and how often it was tried; one that always fails is parked and listed to the operator.
alter table erasure add column due_at timestamptz not null default now(), add column attempt_count integer not null default 0;
create index erasure_due on erasure (due_at) where not is_done;
