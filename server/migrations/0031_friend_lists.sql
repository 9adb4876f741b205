-- One's friends, the newest first.
create index friends_of on friends (owner_id, created_at desc, friend_id desc);
