create table recorder (
  -- 128 random bits as 32 hexadecimal digits: whoever knows it may call, its owner alone may look.
  hash text primary key check (hash ~ '^[0-9a-f]{32}$'),
  owner_id uuid not null,
  created_at timestamptz not null default now()
);
create index recorder_of_owner on recorder (owner_id, created_at desc);

create table recorded_call (
  hash text not null references recorder on delete cascade,
  number bigint generated always as identity,
  method text not null,
  -- The bytes as they came: text would not take every one of them.
  body bytea not null,
  at timestamptz not null default now(),
  primary key (hash, number)
);
create index recorded_call_at on recorded_call using brin (at);
