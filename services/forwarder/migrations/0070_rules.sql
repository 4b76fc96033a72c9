-- Put before the subject of what is forwarded, by a rule of its owner's.
alter table delivery add column subject_tag text not null default '';
-- A rule refused the message, which other recipients took: it is sent nowhere, and its author is told where that is allowed.
alter table delivery add column is_refused boolean not null default false;
