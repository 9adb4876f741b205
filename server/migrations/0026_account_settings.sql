-- The phone number to sign in with, E.164; the profile's phone number receives payouts.
alter table accounts add column phone text unique check (phone ~ '^\+[1-9][0-9]{6,14}$');
-- The address that a verification makes the account's email; null where it confirms the present one.
alter table tokens add column email text check (email = lower(email) and (email is null or kind = 'verification'));
