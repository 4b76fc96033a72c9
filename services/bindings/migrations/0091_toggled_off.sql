-- Switched off with its whole binding: switched on with it again. Those that were off already stay off.
alter table real_address add column was_toggled_off boolean not null default false;
