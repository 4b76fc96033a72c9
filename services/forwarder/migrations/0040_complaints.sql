-- Feedback reports (RFC 5965) that came to abuse@ of a domain, until they were read.
create table complaint_mail (
  email_id uuid primary key,
  raw_id uuid not null,
  -- The domain that the report is proved to come from; empty where it is not proved.
  reporter text not null,
  received_at timestamptz not null,
  attempt_count integer not null default 0,
  due_at timestamptz not null default now()
);
create index complaint_mail_due on complaint_mail (due_at);

-- Complaints about what was sent, one for each delivery.
create table complaint (
  delivery_id uuid primary key,
  email_id uuid not null,
  owner_id uuid not null,
  -- The real address's id, or the contact's.
  address_id uuid not null,
  is_answer boolean not null,
  feedback_type text not null,
  reporter text not null,
  complained_at timestamptz not null,
  -- False once an operator let the account's sending go on.
  is_counted boolean not null default true
);
create index complaint_owner on complaint (owner_id, complained_at);
create index complaint_time on complaint (complained_at);

-- SHA-256 of the Message-ID that it left with, by which a complaint finds it.
alter table answer add column message_id_digest bytea;

-- Why it was paused: failures or complaints.
alter table paused_sending add column reason text not null default 'failures';
