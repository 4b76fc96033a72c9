-- Accounts that an operator disabled, or enabled again (platform/events/disabled-accounts.ts).
create table account_switch (
  id uuid primary key,
  disabled_at timestamptz,
  enabled_at timestamptz
);

-- When an address was disabled for its permanent failures; null where it is enabled, or its owner disabled it.
alter table real_address add column suspended_at timestamptz;

-- Mail that was refused at RCPT since nobody would get it, for the owner to see.
alter table binding add column refused_emails bigint not null default 0;
alter table binding add column last_refused_at timestamptz;
alter table binding add column last_refusal text;
