-- The name that an admin compared with the ID: payouts are sent to it. Null before the first verification.
alter table profiles add column verified_name text;
update profiles set verified_name = name where verified;
