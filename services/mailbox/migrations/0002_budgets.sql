-- Something of the message is not stored, because it was over a limit.
alter table content add column is_truncated boolean not null default false;
-- To build its payload exceeded the budget once: from then on it is built of the beginning of the bodies.
alter table content add column is_payload_reduced boolean not null default false;
-- When parsing it in full began. Where that is still set when the job is claimed anew, it exceeded the budget or ended the
-- process: it is not tried again, and the message is parsed in its reduced form.
alter table parse_job add column full_attempt_at timestamptz;
create index parse_job_large on parse_job (due_at) where size_bytes > 262144;
