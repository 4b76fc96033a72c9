-- An account as far as bindings must know it. Its row is what all changes to the account's bindings lock first.
create table owner (
  id uuid primary key,
  -- The account's own address as it is shown and compared; null where the username is no address that can be forwarded to.
  own_address text,
  own_address_key text,
  -- Since when the own address is known to be the account's, so that it needs no second proof.
  own_address_verified_at timestamptz,
  -- The account was given what it gets when it signs up, though it may have removed it since.
  welcomed_at timestamptz,
  first_binding_at timestamptz,
  -- The account is gone: the row stays, holding nothing of it, so that events that come late change nothing.
  closed_at timestamptz,
  check ((own_address is null) = (own_address_key is null)),
  check (closed_at is null or own_address is null)
);

-- A domain that an account brought along. Only a verified one counts.
create table custom_domain (
  name text primary key,
  owner_id uuid not null references owner,
  verified_at timestamptz
);

-- Every proxy address that was ever given out, by the SHA-256 of its key: a released address goes back to its former owner
-- alone, and to nobody once that account is closed. Neither the address nor a person can be read out of it.
create table address_claim (
  digest bytea primary key,
  owner_id uuid references owner
);
create index address_claim_owner on address_claim (owner_id);

create table binding (
  id uuid primary key,
  owner_id uuid not null references owner,
  proxy_address text not null,
  proxy_address_key text not null constraint binding_proxy_address_key unique,
  description text not null,
  callback_url text not null,
  is_browsable boolean not null,
  is_automatic boolean not null,
  received_emails bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 80); -- room for the counter, which rises with every email, to be written on the same page (HOT)
create index binding_owner on binding (owner_id, id);

create table real_address (
  id uuid primary key,
  binding_id uuid not null references binding on delete cascade,
  owner_id uuid not null references owner,
  address text not null,
  address_key text not null,
  is_enabled boolean not null,
  -- On a reserved internal domain: never sent to, never verified.
  is_internal boolean not null,
  verified_at timestamptz,
  unique (binding_id, address_key),
  check (not is_internal or verified_at is null)
);
create index real_address_owner on real_address (owner_id, address_key);

-- Links that prove an address. The token itself is in the mail alone; a link that was used stays until it would have expired.
create table verification_link (
  token_digest bytea primary key,
  real_address_id uuid not null references real_address on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index verification_link_address on verification_link (real_address_id);
create index verification_link_expiry on verification_link (expires_at);
