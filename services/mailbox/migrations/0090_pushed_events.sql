-- Accounts whose events are published as well, since they have a webhook. webhook says so (pushEvents).
create table event_push (
  owner_id uuid primary key
);
