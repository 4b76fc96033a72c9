-- API keys: several for an account, each for a purpose. Found by the hash; the key itself is shown once and kept nowhere.
create table api_key (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  name text not null,
  hash bytea not null constraint api_key_hash unique,
  scopes text[] not null,
  -- What it creates and changes is on this domain, and leads to these targets; null and empty for any.
  domain text,
  target_ids text[] not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index api_key_account on api_key (account_id, id);
create index api_key_expiry on api_key (expires_at) where expires_at is not null;
