-- account.disabled was published for this account. Accounts that were disabled before there was such an event are announced later.
alter table account add column is_disabling_announced boolean not null default false;
create index account_disabling_unannounced on account (id) where disabled_at is not null and not is_disabling_announced;
