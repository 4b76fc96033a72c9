-- What this service has to say. Written in the transaction that makes it true, deleted once the bus has taken it.
-- Rows come and go at the rate of the mail, so vacuum follows their number, not the table's size.
create table outbox (
  id bigserial primary key,
  event_id uuid not null,
  topic text not null,
  key text not null,
  payload bytea not null,
  headers jsonb not null,
  occurred_at timestamptz not null
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000
);

-- What each group of this service has seen: written in the transaction of its effects, so that seen is done.
create table inbox (
  consumer_group text not null,
  event_id uuid not null,
  seen_at timestamptz not null default now(),
  primary key (consumer_group, event_id)
);
create index inbox_seen_at on inbox using brin (seen_at);

-- Events that a group could not take. One that is to be sent again carries the time that somebody asked for it.
create table dead_event (
  id uuid primary key,
  consumer_group text not null,
  topic text not null,
  event_id uuid not null,
  key text not null,
  payload bytea not null,
  headers jsonb not null,
  occurred_at timestamptz not null,
  error text not null,
  died_at timestamptz not null default now(),
  resend_asked_at timestamptz,
  unique (consumer_group, event_id)
);
create index dead_event_to_resend on dead_event (resend_asked_at, id) where resend_asked_at is not null;
