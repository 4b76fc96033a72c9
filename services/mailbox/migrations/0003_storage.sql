-- How much is kept for each account: the sizes of the messages whose content it can browse.
create table storage (
  owner_id uuid primary key,
  used_bytes bigint not null default 0,
  -- Over the quota, and published so: no more content is kept.
  is_full boolean not null default false
);
-- What a content counts for, and to whom. Null for what was stored before, which is not counted. Not owner_id: statements of the
-- release before, which join content and email, would find that ambiguous.
alter table content add column kept_owner_id uuid, add column kept_bytes bigint;
