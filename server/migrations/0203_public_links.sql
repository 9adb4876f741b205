-- Links that anybody may open: the invitation of a member, and one for each plan that its creator shows in public. Switching off
-- deletes the row. The random id is in the address: what it opens is shown to everybody, and its member copies it again.
create table public_links (
  id text primary key,
  profile_id text not null references profiles (id),
  -- Null for the invitation.
  plan_id text references plans (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  constraint public_links_one unique nulls not distinct (profile_id, plan_id)
);
create index public_links_of_plan on public_links (plan_id) where plan_id is not null;
