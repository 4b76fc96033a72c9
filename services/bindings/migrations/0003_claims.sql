-- When its account chose an address, to limit how many it chooses; null for generated ones, and for those of before.
alter table address_claim add column chosen_at timestamptz;

-- Who has alice+bank has alice as well, so that nobody else gets it and the mail of the other.
insert into address_claim (digest, owner_id)
select sha256(convert_to(regexp_replace(proxy_address_key, '^(.[^+]*)\+[^@]*@', '\1@'), 'UTF8')), owner_id
  from binding where proxy_address_key ~ '^.[^+@]*\+' order by id
    on conflict do nothing;

-- The domain of a proxy address is shown in lower case.
update binding set proxy_address = regexp_replace(proxy_address, '@[^@]*$', '') || lower(substring(proxy_address from '@[^@]*$'))
 where substring(proxy_address from '@[^@]*$') <> lower(substring(proxy_address from '@[^@]*$'));
