-- Those of an account, newest or oldest first: the others are indexed in part.
create index account_event_of_owner on account_event (owner_id, at, id);
