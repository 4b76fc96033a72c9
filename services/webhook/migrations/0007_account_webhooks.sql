-- One URL of an account that is told what happens to its addresses and emails.
create table account_webhook (
  owner_id uuid primary key,
  url text not null,
  host text not null,
  -- It is told of these kinds of events alone, and of these bindings; of all where there are none.
  kinds text[] not null default '{}',
  binding_ids uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  -- When its owner last set it.
  set_at timestamptz not null default now(),
  -- Since when it is told nothing, and why: its target was gone (410), or failed throughout a schedule.
  off_at timestamptz,
  off_reason text check (off_reason in ('gone', 'failing'))
);

-- One row per event that it is told of: a job, as a row of callback is.
create table event_call (
  -- The event's, and the webhook's.
  id uuid primary key,
  owner_id uuid not null,
  url text not null,
  host text not null,
  -- The JSON as it is sent, the same bytes at every attempt.
  body text not null,
  received_at timestamptz not null default now(),
  trace jsonb not null default '{}',
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'given_up', 'cancelled')),
  due_at timestamptz not null default now(),
  worker_id uuid,
  lease_until timestamptz,
  attempts jsonb not null default '[]',
  settled_at timestamptz
) with (fillfactor = 60);
create index event_call_due on event_call (due_at) where state = 'waiting';
create index event_call_waiting on event_call (owner_id) where state = 'waiting';
create index event_call_of_owner on event_call (owner_id, received_at, id);
-- Ids of events are in no order of time: for their deletion.
create index event_call_settled on event_call (settled_at) where settled_at is not null;
