-- What lists show of an email, kept as events come in. Ids and numbers alone: a process of the release before erases the rest.
create table mail_entry (
  owner_id uuid not null,
  email_id uuid not null,
  binding_id uuid not null,
  received_at timestamptz not null,
  -- Its content is stored to be read.
  is_kept boolean not null,
  is_unread boolean not null default false,
  -- Targets by what was last heard of each; one that nothing was heard of is in none.
  delivered_count integer not null default 0,
  failed_count integer not null default 0,
  retrying_count integer not null default 0,
  held_count integer not null default 0,
  next_attempt_at timestamptz,
  primary key (owner_id, email_id)
) with (fillfactor = 80);
create index mail_entry_kept on mail_entry (owner_id, email_id) where is_kept;
create index mail_entry_unread on mail_entry (owner_id, email_id) where is_unread;
create index mail_entry_undelivered on mail_entry (owner_id, email_id) where failed_count > 0 or retrying_count > 0 or held_count > 0;

-- Emails by the day (UTC) that they were received, of each binding, and of the account as a whole under the nil UUID.
create table mail_day (
  owner_id uuid not null,
  binding_id uuid not null,
  day date not null,
  received integer not null default 0,
  -- With a delivery that succeeded, and with one that failed.
  delivered integer not null default 0,
  failed integer not null default 0,
  unread integer not null default 0,
  last_at timestamptz,
  primary key (owner_id, binding_id, day)
) with (fillfactor = 60);
create index mail_day_by_day on mail_day (day);

-- When the attempt follows that is made after this entry.
alter table timeline add column next_attempt_at timestamptz;

-- Of From, or null if there is none; and how the body begins.
alter table content add column from_name text, add column from_address text, add column preview text;

-- The words of emails that are kept, each behind its owner's mark (lists/search-words.ts): a search costs what its owner's mail costs,
-- whoever else has mail here. Removed with the content, by whichever release.
create table mail_search (
  email_id uuid primary key references content on delete cascade,
  owner_id uuid not null,
  words tsvector not null
);
create index mail_search_words on mail_search using gin (words);
