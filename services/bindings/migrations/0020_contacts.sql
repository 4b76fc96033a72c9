-- Whether its owner answers from the proxy address, and how answers show the owner.
alter table binding add column answers boolean not null default false;
alter table binding add column display_name text not null default '';
-- Answers may go to addresses that are no contacts yet, and to encrypted text that cannot be searched for the real address.
alter table binding add column answers_strangers boolean not null default false;
alter table binding add column sends_encrypted boolean not null default false;

-- An aligned SPF result proves the author of an answer, without a DKIM signature.
alter table real_address add column spf_suffices boolean not null default false;

-- Somebody outside, as one binding knows them. The token is in their reverse address.
create table contact (
  id uuid primary key,
  owner_id uuid not null references owner,
  binding_id uuid not null references binding on delete cascade,
  address text not null,
  address_key text not null,
  name text not null default '',
  token text not null constraint contact_token unique,
  -- mail: because a message named them; owner: by hand.
  made_by text not null check (made_by in ('mail', 'owner')),
  blocked_at timestamptz,
  -- Emails from them, and answers to them.
  received bigint not null default 0,
  sent bigint not null default 0,
  last_seen_at timestamptz not null default now(),
  constraint contact_of_binding unique (binding_id, address_key)
) with (fillfactor = 80);
create index contact_owner on contact (owner_id);
create index contact_unanswered on contact (last_seen_at) where made_by = 'mail' and sent = 0;
