create table account (
  id uuid primary key,
  -- As it was given, and as it is compared: case-mapped and in NFC (RFC 8265 section 3.3).
  username text not null,
  username_key text not null constraint account_username_key unique,
  password_hash text not null,
  -- The username is an address that is known to be its owner's.
  is_username_verified boolean not null,
  is_operator_made boolean not null,
  -- The password that BOOTSTRAP_PASSWORD last gave, hashed; null where the account was made otherwise.
  bootstrap_password_hash text,
  created_at timestamptz not null default now(),
  first_signed_in_at timestamptz,
  disabled_at timestamptz
);

-- What signs the account's callbacks; sealed, as is every column of that name.
create table webhook_secret (
  account_id uuid primary key references account on delete cascade,
  sealed bytea not null,
  former_sealed bytea,
  former_until timestamptz,
  check ((former_sealed is null) = (former_until is null))
);
