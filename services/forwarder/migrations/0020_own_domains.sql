-- Accounts' own domains, as bindings says by domain.changed; one that was removed has no row.
create table own_domain (
  id uuid primary key,
  owner_id uuid not null,
  name text not null,
  state text not null,
  -- Selectors of its keys that were found published.
  published_selectors text[] not null
);
create index own_domain_name on own_domain (name);

-- The keys that mail from accounts' own domains is signed with. They are in no table that the release before reads as its own keys.
create table domain_key (
  domain_id uuid not null,
  selector text not null,
  algorithm text not null check (algorithm in ('rsa-sha256', 'ed25519-sha256')),
  -- The private half, PKCS #8 in PEM, sealed; and the public half as p= of its DNS record has it.
  sealed bytea not null,
  public_key text not null,
  made_at timestamptz not null default now(),
  primary key (domain_id, selector)
);
