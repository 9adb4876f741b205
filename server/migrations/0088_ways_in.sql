-- Accounts of who signed in anonymously or by phone have no email, and an empty password hash until one is set.
alter table accounts alter column email drop not null;
alter table accounts add column phone_verified_at timestamptz(3);

-- Secrets that were sent to an email or a phone: whoever knows one signs in to the account that has it, which is made
-- then if there is none; or, with an account, confirms its phone number.
create table challenges (
  id text primary key,
  kind text not null check (kind in ('magic-url', 'phone', 'phone-verification')),
  -- What the reply called the account, whether or not there was one.
  reference text not null,
  account_id text references accounts on delete cascade,
  email text check (email = lower(email)),
  phone text check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  secret_hash bytea not null,
  tries integer not null default 0,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  check ((email is null) <> (phone is null)),
  check ((kind = 'phone-verification') = (account_id is not null))
);
create index challenges_by_reference on challenges (reference, kind);
create index challenges_by_account on challenges (account_id) where account_id is not null;
create index challenges_by_expiry on challenges (expires_at);
