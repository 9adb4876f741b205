-- How long a plan takes, where it is, and since when its creator takes no new requests or last changed it.
alter table plans
  add column duration_minutes integer not null default 120 check (duration_minutes between 30 and 1440),
  add column place text not null default '' check (char_length(place) <= 100),
  add column closed_at timestamptz(3),
  add column edited_at timestamptz(3);

-- The photos of a plan beside its cover, in their order.
create table plan_photos (
  plan_id text not null references plans on delete cascade,
  position smallint not null check (position between 0 and 4),
  -- Unique, and asked whenever a file is removed: does a record still show it?
  image_id text not null unique references files,
  primary key (plan_id, position)
);
