-- A waiter's UUID is its account's own: one that another account happens to use, as one made of a name, stands in nobody's way.
alter table taken_email drop constraint taken_email_pkey;
alter table taken_email add primary key (owner_id, waiter);

-- What nobody has taken yet, oldest first: those that were taken are not walked over again at each question.
create index content_untaken on content (binding_id, email_id) where is_browsable and taken_at is null;
