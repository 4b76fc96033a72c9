-- A link that enables an address again that was switched off for its failures. It went to the account's own mailbox, and so
-- proves nothing of the address.
alter table verification_link add column is_enabling boolean not null default false;
