create table reviews (
  id text primary key,
  interaction_id text not null unique references interactions,
  creator_id text not null references profiles,
  owner_id text not null references profiles,
  plan_id text not null references plans,
  caption text not null,
  image_id text references files,
  location text not null default '',
  stars smallint not null check (stars between 0 and 10),
  tags text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index reviews_by_owner on reviews (owner_id, created_at desc, id desc);
