-- Deliveries to addresses that are yet to be verified: a row is removed when its address is. What is left at expires_at is given up.
create table held_delivery (
  delivery_id uuid primary key,
  binding_id uuid not null,
  address_id uuid not null,
  size_bytes bigint not null,
  expires_at timestamptz not null
);
create index held_delivery_binding on held_delivery (binding_id);
create index held_delivery_address on held_delivery (address_id);

-- Addresses that were verified lately: mail that was accepted before may still arrive.
create table verified_address (
  id uuid primary key,
  verified_at timestamptz not null default now()
);
