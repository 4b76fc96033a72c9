-- An email that somebody waited for and took: nobody who waits gets it again. Beside the content, whose row nothing else locks.
alter table content add column taken_at timestamptz;

-- What each waiter took: asked again, it gets the same.
create table taken_email (
  waiter uuid primary key,
  owner_id uuid not null,
  email_id uuid references content on delete cascade,
  taken_at timestamptz not null default now()
);
create index taken_email_email on taken_email (email_id);
create index taken_email_at on taken_email (taken_at);
