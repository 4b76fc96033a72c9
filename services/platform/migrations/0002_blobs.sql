-- Bytes of any size. Up to 256 KiB they are in the row itself, so that a message is one row in one statement; above,
-- in chunks that were written ahead, or in a bucket under the blob's id.
create table blob (
  id uuid primary key,
  size_bytes bigint not null,
  bytes bytea,
  is_in_bucket boolean not null default false,
  -- Since when it has been part of nothing: written ahead and not attached yet, or removed and still in the bucket.
  unattached_since timestamptz
);
create index blob_unattached on blob (unattached_since) where unattached_since is not null;

create table blob_chunk (
  blob_id uuid not null,
  position integer not null,
  bytes bytea not null,
  primary key (blob_id, position)
);

-- Mail is mostly compressed or encoded already: trying again costs more than it gives.
alter table blob alter column bytes set storage external;
alter table blob_chunk alter column bytes set storage external;
