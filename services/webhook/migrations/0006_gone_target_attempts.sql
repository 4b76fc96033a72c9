-- When the call to bindings is due, and how often it was tried; one that always fails is parked and listed to the operator.
alter table switch_off add column due_at timestamptz not null default now(), add column attempt_count integer not null default 0;
create index switch_off_due on switch_off (due_at);
