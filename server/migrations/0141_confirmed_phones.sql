-- A phone number belongs to the account that confirmed it. One that somebody merely named keeps nobody from using their own.
alter table accounts drop constraint accounts_phone_key;
create unique index accounts_phone_key on accounts (phone) where phone_verified_at is not null;
create index accounts_unconfirmed_phone on accounts (phone) where phone is not null and phone_verified_at is null;
