-- Links that were sent to an account's own address; the digest of what stands in the link, which is 256 random bits.
create table account_link (
  token_digest bytea primary key,
  account_id uuid not null references account on delete cascade,
  purpose text not null check (purpose in ('confirm', 'reset')),
  expires_at timestamptz not null
);
create index account_link_account on account_link (account_id);
create index account_link_expiry on account_link (expires_at);

-- What lets somebody sign up where that is by invitation; each is good once.
create table invitation (
  code_digest bytea primary key,
  expires_at timestamptz not null
);
