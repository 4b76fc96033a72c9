-- What became of answers, by account and day: an account whose mail fails too often is paused.
create table sent_count (
  owner_id uuid not null,
  day date not null,
  settled integer not null default 0,
  failed integer not null default 0,
  primary key (owner_id, day)
);
