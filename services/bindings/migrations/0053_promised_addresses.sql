-- New addresses of own domains that mail was accepted for, before its binding is made from mail.accepted: so that the limits on
-- new addresses hold while many come at once. Kept for a day.
create table promised_address (
  -- The id that the binding will have.
  binding_id uuid primary key,
  domain_id uuid not null references domain on delete cascade,
  promised_at timestamptz not null default now()
);

create index promised_address_domain on promised_address (domain_id, promised_at);
