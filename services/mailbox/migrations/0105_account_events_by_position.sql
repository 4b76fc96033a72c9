-- Each event of an account is in one of the two indexes that are partial: this one was written for each and read for deletions alone.
drop index account_event_of_owner;
