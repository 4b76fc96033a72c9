-- Web sites that an address was given to, as its owner's programs note them.
create table used_on (
  binding_id uuid primary key references binding on delete cascade,
  sites text[] not null
);
