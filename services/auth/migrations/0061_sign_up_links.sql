-- Links of a sign-up that were mailed before its latest one: they stay good as long as it does.
create table sign_up_link (
  token_digest bytea primary key,
  sign_up_id uuid not null references sign_up on delete cascade
);
create index sign_up_link_sign_up on sign_up_link (sign_up_id);
