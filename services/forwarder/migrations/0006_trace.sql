-- The trace that the email, or the asking for a notice, belongs to (W3C Trace Context).
alter table delivery add column trace jsonb not null default '{}';
