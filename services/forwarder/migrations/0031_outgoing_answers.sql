-- Answers of owners, and mail that they composed: what is needed to make the message that leaves, until it is settled.
create table answer (
  email_id uuid primary key,
  owner_id uuid not null,
  -- Claim check, contacts and addresses, as answer.accepted has them.
  content jsonb not null,
  -- waiting: to be composed; held: it has what must not leave, and its owner was asked; then sent or expired.
  state text not null default 'waiting' check (state in ('waiting', 'held', 'sent', 'expired')),
  -- Its owner said to send it all the same.
  is_forced boolean not null default false,
  -- SHA-256 of the token in the link that says so.
  hold_digest bytea unique,
  -- Where it has what must not leave, in words.
  places jsonb,
  trace jsonb not null default '{}',
  received_at timestamptz not null,
  -- Of a held one: when it expires.
  due_at timestamptz not null default now(),
  attempt_count integer not null default 0
);
create index answer_due on answer (due_at) where state in ('waiting', 'held');
create index answer_owner on answer (owner_id);

-- A delivery of an answer. Its raw_id is null, so that a release that knows no answers cannot send the message as it came.
alter table delivery add column is_answer boolean not null default false;

-- Accounts whose mail came back too often: what they send waits.
create table paused_sending (
  owner_id uuid primary key,
  paused_at timestamptz not null default now()
);
