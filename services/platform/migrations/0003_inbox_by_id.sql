-- The inbox is pruned by its primary key. This index served that well while the table was young: once new rows lay among old ones, its
-- ranges of pages held every time there is, and each 5,000 rows cost a reading of the whole table.
drop index inbox_seen_at;
