-- Requests to send mail, by their Idempotency-Key: the same one again is sent once.
create table sent_request (
  owner_id uuid not null,
  key_digest bytea not null,
  body_digest bytea not null,
  email_id uuid not null,
  sent_at timestamptz not null default now(),
  primary key (owner_id, key_digest)
);
create index sent_request_age on sent_request (sent_at);
