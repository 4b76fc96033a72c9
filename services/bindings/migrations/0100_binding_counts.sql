-- How many bindings an account has, kept in the transactions that change them: to count half a million took a tenth of a second, for each
-- page, and for each address that was made. By triggers, since the release before knows nothing of it. Without a row nothing has
-- changed since: then they are counted.
create table binding_count (
  owner_id uuid primary key references owner,
  total integer not null,
  -- Made by the service: these do not count against the quota.
  automatic integer not null,
  -- There are so many that searches take an index: what they look at is noted when it changes (search_change).
  is_noted boolean not null default false
) with (fillfactor = 70);
create index binding_count_noted on binding_count (owner_id) where is_noted;

-- What a search has to look at anew. Appended to alone, so that no writer waits for the index.
create table search_change (
  number bigint generated always as identity primary key,
  owner_id uuid not null,
  binding_id uuid not null
);
create index search_change_owner on search_change (owner_id, binding_id);

create function count_bindings() returns trigger language plpgsql set search_path from current as $$
declare
  change record;
  was_noted boolean;
begin
  -- In the order of the accounts, so that two that change the same ones cannot deadlock.
  for change in
    select owner_id, count(*)::integer * tg_argv[0]::integer as total,
           count(*) filter (where is_automatic)::integer * tg_argv[0]::integer as automatic
      from changed group by owner_id order by owner_id
  loop
    update binding_count as counted
       set total = counted.total + change.total, automatic = counted.automatic + change.automatic,
           is_noted = is_noted or counted.total + change.total >= 5000
     where owner_id = change.owner_id returning is_noted into was_noted;
    -- The first since: all are counted, these as well. Where another transaction was first, it has not seen these.
    if not found then
      insert into binding_count as counted (owner_id, total, automatic, is_noted)
      select change.owner_id, count(*), count(*) filter (where is_automatic), count(*) >= 5000 from binding where owner_id = change.owner_id
      on conflict (owner_id) do update set total = counted.total + change.total, automatic = counted.automatic + change.automatic
      returning is_noted into was_noted;
    end if;
    if was_noted then
      insert into search_change (owner_id, binding_id) select owner_id, id from changed where owner_id = change.owner_id;
    end if;
  end loop;
  return null;
end
$$;
create trigger binding_made after insert on binding referencing new table as changed
  for each statement execute function count_bindings('1');
create trigger binding_removed after delete on binding referencing old table as changed
  for each statement execute function count_bindings('-1');

create function note_searched() returns trigger language plpgsql set search_path from current as $$
declare
  changed uuid;
begin
  if tg_table_name = 'binding' then changed := new.id;
  elsif tg_op = 'DELETE' then changed := old.binding_id;
  else changed := new.binding_id;
  end if;
  -- What goes with its binding is noted with it.
  insert into search_change (owner_id, binding_id)
  select owner_id, id from binding join binding_count using (owner_id) where id = changed and is_noted;
  return null;
end
$$;
create trigger binding_changed after update of proxy_address, description on binding for each row
  when (old.proxy_address is distinct from new.proxy_address or old.description is distinct from new.description)
  execute function note_searched();
create trigger real_address_changed after insert or delete on real_address for each row execute function note_searched();
create trigger real_address_spelled after update of address on real_address for each row
  when (old.address is distinct from new.address) execute function note_searched();
create trigger used_on_changed after insert or update or delete on used_on for each row execute function note_searched();
