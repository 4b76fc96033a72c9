-- What rules ask about: of DMARC and of the author's DKIM signatures pass, fail, none or unknown. Null for mail that came before.
alter table email add column dmarc text, add column dkim text;
