-- Accounts over their quota of storage, as mailbox says by account.storage.
create table full_storage (
  owner_id uuid primary key
);
