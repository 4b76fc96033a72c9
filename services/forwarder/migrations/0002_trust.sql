-- What SPF, DKIM, DMARC and ARC said of the message as it came, and the binding's address as bindings writes it.
alter table delivery add column authentication jsonb;
alter table delivery add column proxy_address text not null default '';

-- The keys that mail is signed with. Both halves stay while a signature of theirs may still be looked at.
create table signing_key (
  selector text primary key,
  algorithm text not null check (algorithm in ('rsa-sha256', 'ed25519-sha256')),
  -- The private half, PKCS #8 in PEM, sealed; and the public half as p= of its DNS record has it.
  sealed bytea not null,
  public_key text not null,
  made_at timestamptz not null default now(),
  -- Published before: what signs is the latest of its algorithm that may.
  signs_from timestamptz not null
);
create index signing_key_order on signing_key (algorithm, signs_from);
