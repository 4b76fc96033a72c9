-- One row per email that somebody wants to be told of. Nothing of the email's content is here: it is asked for at each attempt.
create table callback (
  email_id uuid primary key,
  owner_id uuid not null,
  binding_id uuid not null,
  -- As the route stood when the email was accepted.
  url text not null,
  -- The URL's host and port: what must not take the room of others.
  host text not null,
  received_at timestamptz not null,
  -- The trace that the email belongs to (W3C Trace Context).
  trace jsonb not null default '{}',
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'given_up', 'cancelled')),
  due_at timestamptz not null default now(),
  -- Who has it in hand, and until when; then anybody may take it over.
  worker_id uuid,
  lease_until timestamptz,
  -- [{at, status, durationMs, failure}], oldest first; the schedule bounds their number, and they are only ever read together.
  attempts jsonb not null default '[]',
  settled_at timestamptz
) with (fillfactor = 60);

-- A lease is outside every index, so that claiming a row touches none (heap-only update, room for it by fillfactor).
create index callback_due on callback (due_at) where state = 'waiting';
create index callback_of_binding on callback (binding_id) where state = 'waiting';
create index callback_of_owner on callback (owner_id);

-- Targets that said they are gone (410), until bindings knows.
create table switch_off (
  binding_id uuid not null,
  url text not null,
  asked_at timestamptz not null default now(),
  primary key (binding_id, url)
);
