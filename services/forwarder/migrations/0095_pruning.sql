-- For pruning: answers whose deliveries have ended, and bindings to which nobody named a real address for long.
create index answer_ended on answer (received_at) where state in ('sent', 'expired');
create index named_real_address_noted on named_real_address (noted_at);
