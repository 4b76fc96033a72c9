-- Its owner answers from the proxy address: it is forwarded with the reverse addresses of the binding's contacts.
alter table delivery add column answers boolean not null default false;
