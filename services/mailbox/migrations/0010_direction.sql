-- FORWARD: it came from outside; ANSWER: its owner answered a contact; SEND: its owner composed it through the API.
alter table email add column direction text not null default 'FORWARD';
