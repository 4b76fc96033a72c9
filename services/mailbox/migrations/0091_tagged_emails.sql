-- Browsable emails to an address with a tag, by that address: who waits for mail to one tag finds it among many others. Those from before
-- are not here, and what a process of the release before stores while it is replaced is not either: it is found without its tag.
create table tagged_email (
  email_id uuid primary key references content on delete cascade,
  binding_id uuid not null,
  -- In lower case.
  recipient text not null
);
create index tagged_email_of_recipient on tagged_email (binding_id, recipient, email_id);
