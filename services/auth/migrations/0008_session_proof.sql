-- When the password or a passkey was last given in this session; null where it was not, or a former release opened it.
alter table session add column proved_at timestamptz;
