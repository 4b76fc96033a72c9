-- Accounts that an operator disabled, or enabled again (platform/events/disabled-accounts.ts).
create table account_switch (
  id uuid primary key,
  disabled_at timestamptz,
  enabled_at timestamptz
);
