-- Items of scheduled jobs whose work failed: each waits for its time, so that it is not in front of the others again.
create table postponed_items (
  work text not null,
  item_id text not null,
  attempts integer not null,
  retry_at timestamptz(3) not null,
  last_error text not null,
  primary key (work, item_id)
);
