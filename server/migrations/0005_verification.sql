create table verifications (
  id text primary key,
  user_id text not null references profiles on delete cascade,
  id_front_id text references files,
  id_back_id text references files,
  photo_id text references files,
  address text not null,
  -- Null while it waits, true once accepted (§3); a declined one is deleted.
  valid boolean check (valid),
  accepted_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
-- One request of a member waits at a time.
create unique index verifications_one_pending on verifications (user_id) where valid is null;
create index verifications_pending on verifications (created_at, id) where valid is null;
-- Asked whenever a file is removed.
create index verifications_by_id_front on verifications (id_front_id);
create index verifications_by_id_back on verifications (id_back_id);
create index verifications_by_photo on verifications (photo_id);
-- Accepted ones whose pictures are kept for 30 days.
create index verifications_accepted on verifications (accepted_at) where photo_id is not null;
