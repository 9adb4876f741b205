create table posts (
  id text primary key,
  creator_id text not null references profiles on delete cascade,
  caption text not null default '',
  -- Null only where the creator's initials are the picture (`used_dp` before any profile picture).
  image_id text references files,
  location text not null default '',
  tags text[] not null default '{}',
  used_dp boolean not null default false,
  -- Moves only together with the rows of post_likes, in the same statement.
  total_likes integer not null default 0 check (total_likes >= 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (image_id is not null or used_dp)
);
create index posts_feed on posts (updated_at desc, id desc);
create index posts_recent on posts (created_at desc, id desc);
-- Asked whenever a file is removed: does a record still show it?
create index posts_by_image on posts (image_id);
create index posts_by_creator on posts (creator_id, created_at desc, id desc);

create table post_likes (
  -- The first 8 characters of the member's id and of the post's (§3); uniqueness is by the full pair.
  id text not null,
  who_liked text not null references profiles on delete cascade,
  post_id text not null references posts on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (who_liked, post_id)
);
create index post_likes_by_post on post_likes (post_id);

create table saves (
  id text not null,
  user_id text not null references profiles on delete cascade,
  post_id text not null references posts on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, post_id)
);
create index saves_by_post on saves (post_id);
