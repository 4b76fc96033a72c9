-- A sign-up whose address is not proved yet. Its account is made when the link in its mail is opened, and has this id.
create table sign_up (
  id uuid primary key,
  username text not null,
  username_key text not null,
  password_hash text not null,
  -- The digest of the invitation that it came with, where one is needed.
  invitation_digest bytea,
  -- Of the link; null until its mail was asked for.
  token_digest bytea constraint sign_up_token_digest unique,
  expires_at timestamptz not null
);
create index sign_up_unmailed on sign_up (id) where token_digest is null;
create index sign_up_username on sign_up (username_key);
create index sign_up_expiry on sign_up (expires_at);

-- Somebody asked for a password reset by this name. Whether there is such an account is looked up after the answer was given.
create table reset_request (
  id uuid primary key,
  username_key text not null
);
