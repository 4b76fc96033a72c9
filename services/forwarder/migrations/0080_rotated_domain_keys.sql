-- Of several keys of a domain and algorithm whose records are found, the one that signs from the latest moment in the past signs.
alter table domain_key add column signs_from timestamptz not null default now();
-- When it was first seen to be the one that signs; null before.
alter table domain_key add column signing_since timestamptz;
