-- By which SECRET_KEY this schema's data were made: what that key signs. More than one while it is replaced (db/secret-key-check.ts).
create table known_key (
  signature text primary key,
  known_since timestamptz not null default now()
);
