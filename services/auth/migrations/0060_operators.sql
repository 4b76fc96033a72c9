-- Who may open the operator's area.
alter table account add column is_operator boolean not null default false;

-- What operators did to accounts. Names are kept beside ids, since an account may be gone when somebody asks.
create table operator_action (
  id uuid primary key,
  acted_at timestamptz not null default now(),
  -- Null for the operator's command.
  operator_id uuid,
  operator text not null,
  action text not null,
  account_id uuid not null,
  account text not null
);
create index operator_action_account on operator_action (account_id);
create index operator_action_operator on operator_action (operator_id);
create index operator_action_acted_at on operator_action (acted_at);
