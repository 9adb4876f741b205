-- A block hides both members from each other.
create table blocks (
  blocker_id text not null references profiles on delete cascade,
  blocked_id text not null references profiles on delete cascade,
  -- What each other is still called where one of them stays visible: in requests, and in the list of blocked people.
  blocker_name text not null,
  blocked_name text not null,
  created_at timestamptz(3) not null default now(),
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_newest on blocks (blocker_id, created_at desc, blocked_id desc);
create index blocks_by_blocked on blocks (blocked_id);

-- A mute hides posts, comments and reviews from the one who muted.
create table mutes (
  muter_id text not null references profiles on delete cascade,
  muted_id text not null references profiles on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (muter_id, muted_id),
  check (muter_id <> muted_id)
);
create index mutes_newest on mutes (muter_id, created_at desc, muted_id desc);
create index mutes_by_muted on mutes (muted_id);

-- Who is hidden from a viewer, by a block in either direction; two rows where each blocked the other.
create view hidden_members as
  select blocker_id as viewer_id, blocked_id as profile_id, profiles.account_id, blocked_name as name, blocks.created_at
  from blocks join profiles on profiles.id = blocked_id
  union all
  select blocked_id, blocker_id, profiles.account_id, blocker_name, blocks.created_at
  from blocks join profiles on profiles.id = blocker_id;
