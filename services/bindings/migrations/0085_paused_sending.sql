-- Accounts whose sending from proxy addresses forwarder has paused.
create table paused_sending (
  owner_id uuid primary key,
  paused_at timestamptz not null default now()
);
