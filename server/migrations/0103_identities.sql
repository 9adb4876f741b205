-- Who an account is at other providers. The provider's id of a person never changes, unlike their email; it is unique
-- within its issuer.
create table identities (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  provider text not null,
  issuer text not null,
  provider_uid text not null,
  -- As the provider said at the last sign-in; empty when it did not say.
  provider_email text not null default '',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (provider, issuer, provider_uid)
);
create index identities_by_account on identities (account_id, created_at, id);

-- Sign-ins that wait for their provider's answer, each of which comes back once, to the browser that began it.
create table oauth_states (
  -- SHA-256 of the state in the address, and of the secret in the browser's cookie.
  state_hash bytea primary key,
  browser_hash bytea not null,
  provider text not null,
  -- The code verifier and the nonce, encrypted.
  sealed text not null,
  -- What success leads to: a session of this browser, or a secret for the page.
  result text not null check (result in ('session', 'token')),
  success_url text not null,
  failure_url text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);
create index oauth_states_by_expiry on oauth_states (expires_at);

alter table sessions add column provider_uid text not null default '';

-- A secret that a page exchanges for a session of this identity.
alter table tokens add column identity_id text references identities on delete cascade;
alter table tokens drop constraint tokens_kind_check;
alter table tokens add constraint tokens_kind_check check (kind in ('verification', 'recovery', 'oauth2'));
alter table tokens add constraint tokens_identity_check check ((kind = 'oauth2') = (identity_id is not null));
create index tokens_by_identity on tokens (identity_id) where identity_id is not null;
