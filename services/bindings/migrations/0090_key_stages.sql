-- Of the record of a DKIM key: current, next or former; and until when that of a former key is to stay.
alter table domain_check add column key_stage text;
alter table domain_check add column keep_until timestamptz;
