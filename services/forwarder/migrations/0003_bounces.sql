alter table delivery drop constraint delivery_state_check;
alter table delivery add constraint delivery_state_check
  check (state in ('waiting', 'delivered', 'bounced', 'given_up', 'cancelled'));
-- Whether the author may be told of a failure, as far as the header says it (RFC 3834); null until the message was read.
alter table delivery add column is_answerable boolean;

-- A report to an author goes as it was composed, and so is kept whole.
alter table notice add column message bytea;

-- What came back to a reverse path, until it was read.
create table returned_mail (
  email_id uuid primary key,
  raw_id uuid not null,
  recipient text not null,
  envelope_sender text not null,
  received_at timestamptz not null,
  attempt_count integer not null default 0,
  due_at timestamptz not null default now()
);
create index returned_mail_due on returned_mail (due_at);

-- Emails whose author was told: nobody is told twice.
create table author_report (
  email_id uuid primary key,
  reported_at timestamptz not null default now()
);

-- Permanent failures that a real address is to blame for, one for each delivery.
create table address_failure (
  delivery_id uuid primary key,
  owner_id uuid not null,
  address_key text not null,
  binding_id uuid not null,
  -- A digest of the envelope sender.
  author bytea not null,
  failed_at timestamptz not null default now()
);
create index address_failure_address on address_failure (owner_id, address_key);

-- Real addresses that nothing is to be forwarded to any more, until bindings and the owner know it.
create table suspension (
  owner_id uuid not null,
  address_key text not null,
  address text not null,
  decided_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  primary key (owner_id, address_key)
);
