-- The photos of a review in their order, and when its writer last changed it.
create table review_photos (
  review_id text not null references reviews on delete cascade,
  position smallint not null check (position >= 0),
  -- Unique, and asked whenever a file is removed: does a record still show it?
  image_id text not null unique references files,
  primary key (review_id, position)
);
insert into review_photos (review_id, position, image_id)
  select id, 0, image_id from reviews where image_id is not null;
alter table reviews drop column image_id, add column edited_at timestamptz(3);
