-- Why an attempt failed (emails/failure-reasons.ts); null where a process of the release before wrote it.
alter table timeline add column failure_reason text;
-- Of the targets that failed or are tried again, each once.
alter table mail_entry add column failure_reasons text[] not null default '{}';
