-- Up to which email those from before there were lists are listed (lists/earlier-entries.ts): one row, its lock held by who lists.
create table mail_listing (
  is_only boolean primary key default true check (is_only),
  last_id uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into mail_listing default values;
