-- The second factor of admins: an authenticator app, and codes for when it is lost.
create table second_factors (
  account_id text primary key references accounts on delete cascade,
  -- Encrypted with a key that is not in the database.
  secret text not null,
  -- The time step of the last code that was accepted: no code is accepted twice.
  last_step bigint not null,
  created_at timestamptz(3) not null default now()
);

create table recovery_codes (
  account_id text not null references second_factors on delete cascade,
  -- SHA-256. A code that was used is removed.
  code_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, code_hash)
);

-- When the session last showed the second factor.
alter table sessions add column second_factor_shown_at timestamptz(3);
