-- Ranges of pages that are used again come to hold every time there is, and to look for old calls was to read them all.
drop index recorded_call_at;
create index recorded_call_at on recorded_call (at);
