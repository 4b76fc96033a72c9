-- A message named it as where replies go: in From, Reply-To or a field of a list. The others it only named are answered beside one who wrote.
alter table contact add column invites_replies boolean not null default false;
