-- Contacts of an account that messages alone made: there is room for so many of them (contacts/make-room.ts).
create index contact_made_by_mail on contact (owner_id) where made_by = 'mail' and sent = 0 and blocked_at is null;
