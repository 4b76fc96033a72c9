-- The same JSON as bytes, in UTF-8: PostgreSQL read each event twice, to check it and to find it in the set of rows, and hardly any is ever
-- asked for. No release has written the former column; to convert it would rewrite the table, which mail would wait for.
alter table raw_message drop column events, add column events bytea;
