-- The city of a member; `city_key` is what two spellings of it have in common.
alter table profiles
  add column city text not null default '',
  add column city_key text not null generated always as (lower(btrim(city))) stored,
  -- The order in which people are shown, before the time of the update: with a photo, with a bio, verified, with meetings.
  add column completeness smallint not null generated always as (
    (case when image_id is null then 0 else 8 end) + (case when bio = '' then 0 else 4 end)
    + (case when verified then 2 else 0 end) + (case when total_interaction > 0 then 1 else 0 end)) stored;
create index profiles_people_of_city on profiles (city_key, completeness desc, updated_at desc, id desc) where city_key <> '';
-- With the city, so that members of the viewer's own are passed over by the index alone.
create index profiles_people_by_completeness on profiles (completeness desc, updated_at desc, id desc) include (city_key);
