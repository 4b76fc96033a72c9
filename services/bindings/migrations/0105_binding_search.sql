-- The trigrams of a text as numbers that hang on the account, so that an index of them holds apart what is whose. pg_trgm cannot be
-- created by a service's role.
create function search_grams(owner uuid, searched text) returns integer[] language sql immutable parallel safe cost 10000 as $$
  select coalesce(array_agg((hashtextextended(one || two || three, seed) & 2147483647)::integer), '{}')
    from string_to_array(searched collate "C", null) as letters, hashtextextended(owner::text collate "C", 0) as seed,
         unnest(letters, letters[2:], letters[3:]) as gram (one, two, three)
   where three is not null
$$;

-- What a search looks at, of accounts with very many bindings: the texts of each one in lower case, one after the other.
-- Written by a task alone (proxy-bindings/search-index.ts), so that to change an address costs no more for it.
create table binding_search (
  owner_id uuid not null,
  binding_id uuid not null,
  searched text collate "C" not null,
  primary key (owner_id, binding_id)
);
create index binding_search_grams on binding_search using gin (search_grams(owner_id, searched)) with (gin_pending_list_limit = 1024);
-- Statistics of an expression call it for each row of the sample, and nothing is planned by them.
alter index binding_search_grams alter column 1 set statistics 0;

-- How far the index of an account has been made.
create table search_owner (
  owner_id uuid primary key,
  -- Transactions before this one may have changed what they did not note: the index is made after the last of them has ended. Null until
  -- a transaction that began after changes were noted.
  fence xid8,
  indexed_to uuid not null default '00000000-0000-0000-0000-000000000000',
  is_indexed boolean not null default false
);

-- One row: who holds it, works on counts and the index. Accounts up to `counted_to` have their count.
create table search_work (
  counted_to uuid not null,
  is_counted boolean not null default false
);
insert into search_work values ('00000000-0000-0000-0000-000000000000');
