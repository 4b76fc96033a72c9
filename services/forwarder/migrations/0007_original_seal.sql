-- By which the author's own header is known again when it comes back with a bounce; null where the author will not be told.
alter table delivery add column original_seal text;
