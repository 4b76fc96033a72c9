-- Contacts as programs know them whose ids are integers. Made when such a program first asks.
create table contact_number (
  contact_id uuid primary key references contact on delete cascade,
  number integer generated always as identity constraint contact_number_number unique
);
