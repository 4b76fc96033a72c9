-- Each RCPT asks whether the binding has blocked anybody.
create index contact_blocked on contact (binding_id) where blocked_at is not null;
