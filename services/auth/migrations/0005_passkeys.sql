-- Public keys that stand for an account (WebAuthn Level 3, section 4: public key credential source); nothing here is secret.
create table passkey (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  credential_id bytea not null constraint passkey_credential_id unique,
  -- COSE_Key (RFC 9052 section 7).
  public_key bytea not null,
  -- The authenticator's signature counter; 0 for one that keeps none.
  counter bigint not null,
  transports text[] not null,
  is_backed_up boolean not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkey_account on passkey (account_id);

-- What an authenticator is asked to sign, once; without an account it is for a sign-in, whose account the passkey will tell.
create table passkey_challenge (
  challenge bytea primary key,
  account_id uuid references account on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenge_account on passkey_challenge (account_id);
create index passkey_challenge_expiry on passkey_challenge (expires_at);
