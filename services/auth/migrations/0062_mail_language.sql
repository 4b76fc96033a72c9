-- The language of the request that its mail is sent for.
alter table sign_up add column language text not null default 'en';
alter table reset_request add column language text not null default 'en';
