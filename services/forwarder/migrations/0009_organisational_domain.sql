-- What the domain belongs to by the public suffix list: its subdomains share the room for deliveries in flight. Empty in rows of
-- before, which go by their domain.
alter table delivery add column organisational_domain text not null default '';
