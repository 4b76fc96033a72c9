-- Reports that a delivery is delayed, of which only the first few are kept as attempts.
alter table delivery add column delayed_reports integer not null default 0;
