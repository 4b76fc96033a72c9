-- What comes later is listed as it is recorded: no process of a release that knows no lists is left by then.
alter table mail_listing add column ends_at timestamptz not null default now() + interval '7 days';
