-- A real address of an account, whichever bindings lead to it: what API keys and other programs name it by.
create table target (
  id uuid primary key,
  number integer generated always as identity constraint target_number unique,
  owner_id uuid not null references owner,
  address text not null,
  address_key text not null,
  unique (owner_id, address_key)
);

-- Bindings as programs know them whose ids are integers. Made when such a program first asks.
create table binding_number (
  binding_id uuid primary key references binding on delete cascade,
  number integer generated always as identity constraint binding_number_number unique
);
