-- A domain as an account claims it. Any number of accounts may claim one; one of them at most has proved it.
create table domain (
  id uuid primary key,
  owner_id uuid not null references owner,
  -- A-labels in lower case.
  name text not null,
  state text not null default 'unverified' check (state in ('unverified', 'verified', 'broken', 'removed')),
  -- What the owner publishes at _postern.<name>, after "postern-verify=".
  token text not null,
  -- The epoch in which it was proved last; 0 before.
  epoch integer not null default 0,
  created_at timestamptz not null default now(),
  -- When name servers were last asked, whatever they answered.
  checked_at timestamptz,
  -- Certain failures since it was last right, and the first of them.
  failures integer not null default 0,
  failing_since timestamptz,
  broken_at timestamptz,
  notices_sent integer not null default 0,
  -- Selectors of its DKIM keys that were found published when name servers last gave a certain answer.
  published_selectors text[] not null default '{}',
  due_at timestamptz not null default now(),
  -- Checks that failed by a fault of ours; one that always fails is parked and listed to the operator.
  attempt_count integer not null default 0,
  unique (owner_id, name)
);
create index domain_name on domain (name);
create unique index domain_proved on domain (name) where state in ('verified', 'broken');
create index domain_due on domain (due_at) where state <> 'removed';

-- Each record of a domain as it was last found, by a certain answer.
create table domain_check (
  domain_id uuid not null references domain on delete cascade,
  -- Name and type, and which of several it is: its place in the list.
  record text not null,
  position integer not null,
  name text not null,
  type text not null,
  expected text not null,
  found text not null,
  verdict text not null,
  at timestamptz not null,
  primary key (domain_id, record)
);

-- How often a domain has changed hands, by the SHA-256 of its name, and who proved it last. An address of it is claimed
-- within an epoch. The row outlives the domain's, so that addresses of the last owner stay with that owner.
create table domain_epoch (
  digest bytea primary key,
  epoch integer not null,
  owner_id uuid
);

-- The domain of a proxy address where it is an account's own; null on SERVICE_DOMAIN.
alter table binding add column own_domain text;
create index binding_own_domain on binding (own_domain, owner_id) where own_domain is not null;
