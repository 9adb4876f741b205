-- Accounts whose email was never confirmed: no list and no search of people has their members. They are few, so lists are
-- compared with an index of these alone.
create view unconfirmed_accounts as
  select id from accounts where email_verified_at is null and deleted_at is null;
create index accounts_unconfirmed on accounts (id) where email_verified_at is null and deleted_at is null;
