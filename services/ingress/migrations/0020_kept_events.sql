-- The events that were published for a message, by the id of their email, as long as the message is kept: `admin -- reconcile` publishes
-- them again where a consumer or the bus lost them. Null for what came before. Read by that command alone.
alter table raw_message add column events json;
