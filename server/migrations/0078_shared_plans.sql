-- A member's link to one request for a trusted person. Revoking deletes the row; a new link replaces it.
create table shared_plans (
  interaction_id text not null references interactions (id) on delete cascade,
  profile_id text not null references profiles (id),
  -- SHA-256 of the link's secret, which is stored nowhere.
  token_hash bytea not null unique,
  created_at timestamptz(3) not null default now(),
  primary key (interaction_id, profile_id)
);
create index shared_plans_of_profile on shared_plans (profile_id);
