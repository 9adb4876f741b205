-- The rule of what holds a creator's time stands in the constraint `interactions_one_booking` and in this view alone.
create or replace function is_booked(creator text, from_time timestamptz, until_time timestamptz) returns boolean
  language plpgsql stable as $$
  begin
    return exists (select from booked_times
      where creator_id = creator and tstzrange(meets_at, meets_until) && tstzrange(from_time, until_time));
  end $$;
