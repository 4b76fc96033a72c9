-- When an address last got mail: lists are sorted by it.
alter table binding add column last_received_at timestamptz;
