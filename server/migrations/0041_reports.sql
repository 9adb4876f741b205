-- What a member reported, with a copy of the record as it was then.
create table reports (
  id text primary key,
  -- Null once the member's account is deleted.
  reporter_id text references profiles on delete set null,
  member_id text references profiles on delete set null,
  kind text not null check (kind in ('member', 'post', 'comment', 'review', 'plan')),
  record_id text not null,
  reason text not null,
  detail text not null default '',
  snapshot jsonb not null,
  decision text check (decision in ('dismiss', 'remove', 'warn', 'suspend', 'ban')),
  decided_by text references accounts on delete set null,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check ((decision is null) = (decided_at is null))
);
create index reports_open on reports (created_at, id) where decided_at is null;
create index reports_by_member on reports (member_id);
create index reports_by_decider on reports (decided_by);
-- One open report of a member about a record.
create unique index reports_one_open on reports (reporter_id, kind, record_id) where decided_at is null;

alter table accounts
  -- Until then the member reads and does not write; null when never suspended.
  add column suspended_until timestamptz(3),
  -- The warning of an admin that the member has not seen yet.
  add column warning text;

-- A plan that an admin removed: its requests still show its title and cover.
alter table plans add column removed_at timestamptz(3);
