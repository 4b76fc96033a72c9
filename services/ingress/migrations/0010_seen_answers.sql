-- Digests of answers that were taken: the same one again is not sent again.
create table seen_answer (
  digest bytea primary key,
  seen_at timestamptz not null default now()
);
create index seen_answer_age on seen_answer (seen_at);
