-- Anybody may send reports to abuse@ that name a Message-ID: finding its answer reads no other.
create index answer_message_id on answer (message_id_digest) where message_id_digest is not null;
