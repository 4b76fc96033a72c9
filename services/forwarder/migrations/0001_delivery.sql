-- One row per (email, real address), and one per notice of the service's own.
create table delivery (
  id uuid primary key,
  -- Null for a notice.
  email_id uuid,
  notice_id uuid,
  owner_id uuid,
  binding_id uuid,
  -- The real address's id in bindings.
  address_id uuid,
  address text not null,
  -- What is right of the @, in lower case: where it goes.
  domain text not null,
  -- Claim check for the raw bytes in ingress, and what the trace needs to know of how they came.
  raw_id uuid,
  size_bytes integer,
  received_at timestamptz not null,
  envelope_sender text not null default '',
  recipient text not null default '',
  client_address text not null default '',
  client_name text not null default '',
  protocol text not null default '',
  tls text not null default '',
  smtp_utf8 boolean not null default false,
  eight_bit_mime boolean not null default false,
  authentication_results text not null default '',
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'given_up', 'cancelled')),
  due_at timestamptz not null default now(),
  -- Who has it in hand, and until when; then anybody may take it over.
  worker_id uuid,
  lease_until timestamptz,
  -- [{at, response, remote}], oldest first; the schedule bounds their number, and they are only ever read together.
  attempts jsonb not null default '[]',
  settled_at timestamptz,
  unique (email_id, address),
  unique (notice_id),
  check ((email_id is null) <> (notice_id is null))
) with (fillfactor = 60);

-- A lease is outside every index, so that claiming a row touches none (heap-only update, room for it by fillfactor).
create index delivery_due on delivery (due_at) where state = 'waiting';
create index delivery_owner on delivery (owner_id) where owner_id is not null;

-- What a notice says, until it is delivered or given up: it may hold a link that lets its reader in.
create table notice (
  id uuid primary key,
  kind text not null,
  subject text not null,
  text text not null,
  html text,
  requested_at timestamptz not null
);
