-- What happened to the addresses and emails of an account, for programs that ask for it. Kept for a week.
create table account_event (
  id uuid primary key,
  owner_id uuid not null,
  kind text not null,
  at timestamptz not null,
  binding_id uuid,
  email_id uuid,
  data jsonb not null default '{}',
  -- Given when the account's events are read: an event that is committed later comes later, whatever its time.
  position bigint
);
create unique index account_event_position on account_event (owner_id, position) where position is not null;
create index account_event_new on account_event (owner_id, at, id) where position is null;
create index account_event_at on account_event (at);

-- Of each account that reads them: its lock, and the last position.
create table event_reader (
  owner_id uuid primary key,
  -- A cursor of another account, or of a database that was restored since, is none.
  id uuid not null default gen_random_uuid(),
  last_position bigint not null default 0,
  -- The last one that was deleted.
  deleted_position bigint not null default 0
);
