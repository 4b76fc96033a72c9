-- A plain name of what somebody signed in with, such as "Firefox on Linux"; null where it said nothing, or was not asked yet.
alter table session add column browser text;
