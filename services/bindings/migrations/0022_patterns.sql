-- What takes mail to addresses of an own domain that have no binding, in the order of `position`.
create table pattern (
  domain_id uuid not null references domain on delete cascade,
  position integer not null,
  -- On the part before the @, without its subaddress.
  glob text not null,
  -- Real addresses that the account has proved; none: the mail is kept for reading.
  targets text[] not null,
  -- Whether a binding is made; where it is not, mail is refused.
  creates boolean not null,
  -- New addresses of the domain within an hour at most.
  per_hour integer not null,
  primary key (domain_id, position)
);

-- Made for the first mail to an address that a pattern takes.
alter table binding add column is_from_pattern boolean not null default false;
create index binding_from_pattern on binding (own_domain, created_at) where is_from_pattern;
