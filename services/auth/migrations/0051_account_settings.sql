-- What programs keep with an account, by key; nothing here looks into it.
create table account_setting (
  account_id uuid not null references account on delete cascade,
  key text not null,
  value text not null,
  primary key (account_id, key)
);
