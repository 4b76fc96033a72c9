-- A message as it came by DATA, by the id of its bytes in `blob`, and who still needs it: the emails, that is recipients, that
-- mail.released has not named yet. With the last of them it goes. Ids are in order of time, so the oldest need no index.
create table raw_message (
  raw_id uuid primary key,
  email_ids uuid[] not null
);
