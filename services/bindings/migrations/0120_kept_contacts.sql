-- A message made the contact, and its owner named it since, or asked for its reverse address: it makes no room for others (contacts/make-room.ts).
alter table contact add column kept_by_owner boolean not null default false;
-- They are counted whenever a message makes some: from the index alone.
create index contact_removable on contact (owner_id) include (id, invites_replies)
  where made_by = 'mail' and sent = 0 and blocked_at is null and not kept_by_owner;
drop index contact_made_by_mail;
