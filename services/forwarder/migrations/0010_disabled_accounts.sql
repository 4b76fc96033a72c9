-- Accounts that an operator has disabled, or has enabled again: their mail waits as long as they are disabled.
create table account_switch (
  id uuid primary key,
  -- The later one holds: their events keep no order between each other.
  disabled_at timestamptz,
  enabled_at timestamptz
);
