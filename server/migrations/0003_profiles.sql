create table profiles (
  id text primary key,
  account_id text not null unique references accounts on delete cascade,
  name text not null,
  username text not null default 'User025',
  phone_number text not null default '',
  image_id text references files,
  bio text not null default '',
  education text not null default '',
  looking_for text not null default '',
  hobby text not null default '',
  gender text not null default '',
  birth_date date,
  sent_verified_req boolean not null default false,
  verified boolean,
  limited_plan integer not null default 5,
  total_plan integer not null default 0,
  total_interaction integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (total_plan <= limited_plan)
);
create index profiles_people on profiles (updated_at desc, id desc);
-- Asked whenever a file is removed: does a record still show it?
create index profiles_by_image on profiles (image_id);
create index profiles_by_username on profiles (lower(username));

-- A member becomes a friend of a creator, and back, when a request between them is accepted (§3).
create table friends (
  owner_id text not null references profiles on delete cascade,
  friend_id text not null references profiles on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (owner_id, friend_id)
);
