-- What an account brings from elsewhere: read and judged first, made when its owner starts it. Kept for 30 days.
create table import (
  id uuid primary key,
  owner_id uuid not null references owner,
  source text not null,
  -- reading: from the API of another service; checked: judged, nothing made yet; waiting: being made; failed: it could not be read.
  state text not null check (state in ('reading', 'checked', 'waiting', 'done', 'failed')),
  -- What an API key holds its bindings to.
  api_key jsonb,
  -- While it is read from an API: where that is, its key (sealed), and the next page.
  base_url text,
  sealed_key bytea,
  next_page integer not null default 0,
  fault text,
  -- What is on domains that the account does not have gets new addresses.
  makes_new_addresses boolean not null default true,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  due_at timestamptz not null default now(),
  attempt_count integer not null default 0
);
create index import_owner on import (owner_id, created_at);
create index import_due on import (due_at) where state in ('reading', 'waiting');
create index import_age on import (created_at);

create table import_entry (
  import_id uuid not null references import on delete cascade,
  -- They are made in this order.
  position integer not null,
  -- What stood in the source: see imports/entries.
  entry jsonb not null,
  -- left: it would have got a new address, and none was wanted; refused: why is in detail.
  state text not null default 'waiting' check (state in ('waiting', 'done', 'left', 'refused')),
  -- What the first look said.
  verdict text not null,
  detail text not null default '',
  -- What became of an address, or a contact.
  new_value text,
  -- Of an address, for its contacts and rules: as it was compared, and its binding.
  address_key text,
  binding_id uuid references binding on delete set null,
  primary key (import_id, position)
);
create index import_entry_waiting on import_entry (import_id, position) where state = 'waiting';
create index import_entry_address on import_entry (import_id, address_key) where address_key is not null;
create index import_entry_binding on import_entry (binding_id) where binding_id is not null;
