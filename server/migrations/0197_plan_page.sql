-- What the page of a plan shows beside the plan, read with it: when its creator's time is taken, as `is_booked` and the
-- constraint `interactions_one_booking` mean it, whose index serves it; and the reviews of the plan.
create view booked_times as
  select creator_id, meets_at, meets_until from interactions
  where meets_at is not null and cancelled_at is null and completed_at is null
    and (accepted_at is not null or (paid_at is not null and price_centavos > 0));

create view plan_reviews as
  select id, plan_id, creator_id, stars, caption, created_at from reviews;
