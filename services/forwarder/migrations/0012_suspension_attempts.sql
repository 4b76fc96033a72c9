-- Attempts to tell bindings and the owner; one that always fails is parked and listed to the operator.
alter table suspension add column attempt_count integer not null default 0;
