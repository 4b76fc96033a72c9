-- Ids are UUIDs of version 7, so every key that begins with one is in order of arrival: newest first and retention need no
-- other index, and cost the same however much is kept.

-- Every email, whatever becomes of it: its envelope, and how far it is.
create table email (
  id uuid primary key,
  -- From mail.accepted. Null while only outcomes are known, which may overtake it; and again once the email is erased.
  owner_id uuid,
  binding_id uuid,
  received_at timestamptz,
  sender text,
  recipient text,
  proxy_address text,
  callback_url text,
  received_from text,
  authentication_results text,
  size_bytes bigint,
  constraint email_envelope_is_whole check (
    num_nulls(owner_id, binding_id, received_at, sender, recipient, proxy_address, callback_url, received_from,
      authentication_results, size_bytes) in (0, 10)),
  -- From mail.accepted too, and kept when the email is erased: the claim check has to be given back.
  raw_id uuid,
  expected_outcomes integer,
  constraint email_route_is_whole check (num_nulls(raw_id, expected_outcomes) in (0, 2)),
  -- Its owner browses it: what is read of it stays. As the route stood at RCPT.
  is_browsable boolean not null default false,
  -- Every forward and the callback came to their end.
  is_processed boolean not null default false,
  -- The raw bytes were given back to ingress.
  is_released boolean not null default false,
  removed_at timestamptz,
  -- Its binding or account is gone: nothing personal is left in this row, and nothing gets in again.
  erased_at timestamptz,
  updated_at timestamptz not null default now()
  -- Room for the updates of is_processed and is_released beside each row, so that no index is touched by them.
) with (fillfactor = 85);
create index email_of_owner on email (owner_id, binding_id, id) where owner_id is not null;

-- What happened to an email after it was accepted. An entry that comes twice is one entry.
create table timeline (
  email_id uuid not null,
  kind text not null,
  -- The real address or binding that a delivery is for; null for what concerns the email itself.
  target_id uuid,
  attempt_count integer not null default 0,
  at timestamptz not null,
  target text,
  detail text,
  -- The end of a delivery: delivered, given up or cancelled.
  is_end boolean not null,
  constraint timeline_entry unique nulls not distinct (email_id, kind, target_id, attempt_count)
);

-- What was read of an email that is browsed or called back.
create table content (
  email_id uuid primary key,
  binding_id uuid not null,
  is_browsable boolean not null,
  subject text not null,
  attachment_count integer not null,
  -- [[name, value], …] in the message's order, decoded. json, not jsonb: it is never looked into here, only handed out.
  headers json not null,
  -- Null when the message has none.
  body_plain text,
  body_html text,
  -- When the callback that it was kept for, and nothing else, came to its end.
  served_at timestamptz
);
create index content_to_browse on content (binding_id, email_id) where is_browsable;
create index content_served on content (served_at) where served_at is not null and attachment_count = 0;
create index content_served_linked on content (served_at) where served_at is not null and attachment_count > 0;

create table attachment (
  email_id uuid not null,
  index integer not null,
  filename text not null,
  mime text not null,
  size_bytes bigint not null,
  content_id text,
  blob_id uuid not null,
  primary key (email_id, index)
);

-- Messages to be read. A worker that claims one moves due_at to the end of its lease.
create table parse_job (
  email_id uuid primary key,
  raw_id uuid not null,
  size_bytes bigint not null,
  -- Of mail.accepted, so that mail.stored belongs to the same.
  trace jsonb not null,
  attempt_count integer not null default 0,
  due_at timestamptz not null default now()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index parse_job_fresh on parse_job (due_at) where attempt_count = 0;
create index parse_job_again on parse_job (due_at) where attempt_count > 0;

-- Bindings and accounts (binding_id null) that are gone. Kept for a while: mail accepted before may still be on its way.
create table erasure (
  owner_id uuid not null,
  binding_id uuid,
  is_done boolean not null default false,
  asked_at timestamptz not null default now(),
  constraint erasure_scope unique nulls not distinct (owner_id, binding_id)
);
create index erasure_open on erasure (asked_at) where not is_done;
