-- Removing a friend leaves no row that says when the list changed.
alter table profiles add column friends_removed_at timestamptz(3);
