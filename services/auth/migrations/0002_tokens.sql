-- What bearer tokens are signed with; the newest signs, the others verify until the last token they signed has ended.
create table signing_key (
  id text primary key,
  public_jwk jsonb not null,
  sealed bytea not null,
  created_at timestamptz not null default now()
);

-- One row per bearer token: a token without its row is none. The id is the token's jti.
create table session (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  signing_key_id text not null references signing_key,
  is_second_factor_granted boolean not null,
  client_address text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index session_account on session (account_id, client_address);
create index session_expiry on session (expires_at);
create index session_signing_key on session (signing_key_id, expires_at);

-- The account's one API token: found by its hash, shown again from its sealed form.
create table api_token (
  account_id uuid primary key references account on delete cascade,
  hash bytea not null constraint api_token_hash unique,
  sealed bytea not null,
  created_at timestamptz not null default now()
);
