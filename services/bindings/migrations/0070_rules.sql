-- What becomes of mail, as its owner says. A rule is for one binding, for a domain, or for all mail of the account.
create table rule (
  -- A caller may choose it, so that it is an id of this account alone.
  id uuid not null,
  owner_id uuid not null references owner,
  binding_id uuid references binding on delete cascade,
  domain_id uuid references domain on delete cascade,
  constraint rule_scope check (num_nonnulls(binding_id, domain_id) <= 1),
  -- Among the rules with the same scope.
  position integer not null,
  name text not null default '',
  -- Of each condition that there is, its values; of each action what it needs. See rules/contract.ts.
  conditions jsonb not null,
  actions jsonb not null,
  expires_at timestamptz,
  -- Messages that it decided about.
  hits bigint not null default 0,
  last_hit_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (owner_id, id)
) with (fillfactor = 80);
create index rule_binding on rule (binding_id) where binding_id is not null;
create index rule_domain on rule (domain_id) where domain_id is not null;
