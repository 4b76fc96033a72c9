-- A TOTP secret (RFC 6238); in force from its confirmation on.
create table second_factor (
  account_id uuid primary key references account on delete cascade,
  sealed bytea not null,
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: no code is taken twice (RFC 6238 section 5.2).
  last_step bigint not null default 0
);

-- Codes for the day the device is lost: each is good once.
create table recovery_code (
  account_id uuid not null references second_factor on delete cascade,
  hash bytea not null,
  primary key (account_id, hash)
);
