-- When a member was last here: raised at most once in 5 minutes. Rows are updated in place, so pages keep room for that.
create table member_presence (
  profile_id text primary key references profiles on delete cascade,
  last_seen_at timestamptz(3) not null
) with (fillfactor = 80);
