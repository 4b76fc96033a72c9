-- Accounts that are gone: what comes for them later goes as well (platform/closed-accounts.ts).
create table closed_account (
  id uuid primary key,
  closed_at timestamptz not null default now()
);
