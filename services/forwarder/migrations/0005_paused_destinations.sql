-- Domains that an operator holds mail back from.
create table paused_destination (
  domain text primary key,
  paused_at timestamptz not null default now()
);
