-- How far the provider's list of payments was read: every payment of it is known, but for those that are named. The list is read in
-- each round, so links are not asked for one by one any more.
create table provider_reads (
  list text primary key check (list = 'payments'),
  -- When the newest payment was made that was read.
  read_until timestamptz(3) not null,
  -- Payments up to then that are pending, or could not be booked.
  open_ids jsonb not null default '[]'
);

alter table interactions drop column link_due_at, drop column link_checked_at;
drop function next_link_check(timestamptz, timestamptz, timestamptz);
