-- The message of a delivery that a rule refused; its raw_id is null, so that a release that knows no such refusals cannot send the message.
alter table delivery add column refused_raw_id uuid;
