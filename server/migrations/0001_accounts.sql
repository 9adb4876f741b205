-- Accounts, their sessions, mailed secrets and security events. Times carry milliseconds, so that a cursor
-- that went through JavaScript still equals the stored value.
create table accounts (
  id text primary key,
  email text not null unique check (email = lower(email)),
  name text not null default '',
  password_hash text not null,
  password_updated_at timestamptz(3) not null default now(),
  email_verified_at timestamptz(3),
  labels text[] not null default '{}',
  prefs jsonb not null default '{}',
  blocked_at timestamptz(3),
  -- A member of the demo world; none may exist in production.
  demo boolean not null default false,
  accessed_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table sessions (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  -- SHA-256 of the secret in the cookie; the secret itself is never stored.
  secret_hash bytea not null unique,
  provider text not null default 'email',
  ip text not null default '',
  user_agent text not null default '',
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index sessions_by_account on sessions (account_id, created_at);

create table tokens (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  kind text not null check (kind in ('verification', 'recovery')),
  secret_hash bytea not null unique,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);
create index tokens_by_account on tokens (account_id, kind);

create table account_events (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  event text not null,
  ip text not null default '',
  user_agent text not null default '',
  created_at timestamptz(3) not null default now()
);
create index account_events_by_account on account_events (account_id, created_at desc);
