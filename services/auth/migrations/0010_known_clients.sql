-- Browsers and network addresses that an account was signed in to from: digests, since neither is anybody's business.
create table known_client (
  account_id uuid not null references account on delete cascade,
  client_digest bytea not null,
  last_seen_at timestamptz not null default now(),
  primary key (account_id, client_digest)
);
create index known_client_last_seen on known_client (last_seen_at);
