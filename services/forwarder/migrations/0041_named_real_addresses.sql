-- Bindings to which somebody wrote a real address of their owner's: how a quotation of it comes back must not tell that it is one.
create table named_real_address (
  binding_id uuid primary key,
  owner_id uuid not null,
  noted_at timestamptz not null default now()
);
create index named_real_address_owner on named_real_address (owner_id);
