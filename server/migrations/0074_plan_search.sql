-- Explore finds plans by the words of their texts: what counts most is the title, then the place. The numbers are those
-- of the search's slices (decision 0034).
alter table plans
  add column number bigint not null generated always as identity,
  add constraint plans_number unique (number),
  add column words tsvector not null generated always as (search_vector(title, place, description)) stored;
create index plans_search on plans using gin (search_keys(number, words)) with (fastupdate = off);

-- Whether a creator's time is taken between two moments, by a request that holds its time (`interactions_one_booking`).
-- Its body is read when it is called.
create function is_booked(creator text, from_time timestamptz, until_time timestamptz) returns boolean
  language plpgsql stable as $$
  begin
    return exists (select from interactions
      where creator_id = creator and tstzrange(meets_at, meets_until) && tstzrange(from_time, until_time)
        and meets_at is not null and cancelled_at is null and completed_at is null
        and (accepted_at is not null or (paid_at is not null and price_centavos > 0)));
  end $$;
