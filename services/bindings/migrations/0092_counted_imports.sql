-- What a list or a poll shows of an import; counting its entries each time read through all of them.
alter table import
  add column total integer not null default 0,
  add column done integer not null default 0;
update import set
  total = (select count(*) from import_entry where import_id = import.id),
  done = (select count(*) from import_entry where import_id = import.id and import_entry.state <> 'waiting');
