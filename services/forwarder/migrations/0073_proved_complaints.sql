-- A responder wrote it: complaints about it do not count.
alter table answer add column is_automatic boolean not null default false;

-- The registered domains of who reports and of the contact, of complaints that count; empty in all others. Each counts once.
alter table complaint add column reporter_domain text not null default '';
alter table complaint add column contact_domain text not null default '';
