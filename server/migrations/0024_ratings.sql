-- Reviews about a member and of a plan, and the sum of their stars (0 to 10 each); meetings of a plan. A member's
-- meetings are profiles.total_interaction. The totals count everybody, also members who are hidden from a viewer.
alter table profiles
  add column total_reviews integer not null default 0 check (total_reviews >= 0),
  add column total_stars integer not null default 0 check (total_stars between 0 and 10 * total_reviews);
alter table plans
  add column total_reviews integer not null default 0 check (total_reviews >= 0),
  add column total_stars integer not null default 0 check (total_stars between 0 and 10 * total_reviews),
  add column total_meetings integer not null default 0 check (total_meetings >= 0);

update profiles set total_reviews = rated.reviews, total_stars = rated.stars
from (select owner_id, count(*) as reviews, sum(stars) as stars from reviews group by owner_id) as rated
where rated.owner_id = profiles.id;
update plans set total_reviews = rated.reviews, total_stars = rated.stars
from (select plan_id, count(*) as reviews, sum(stars) as stars from reviews group by plan_id) as rated
where rated.plan_id = plans.id;
update plans set total_meetings = met.meetings
from (select plan_id, count(*) as meetings from interactions where completed_at is not null group by plan_id) as met
where met.plan_id = plans.id;

-- A trigger, so that every way of writing and removing reviews keeps the totals right. The member's row is locked before
-- the plan's, as where a plan is published or confirmed.
create function rate_by_review() returns trigger language plpgsql as $$
declare
  more_reviews integer := case tg_op when 'INSERT' then 1 when 'DELETE' then -1 else 0 end;
  more_stars integer := coalesce(new.stars, 0) - coalesce(old.stars, 0);
begin
  update profiles set total_reviews = total_reviews + more_reviews, total_stars = total_stars + more_stars
    where id = coalesce(new.owner_id, old.owner_id);
  update plans set total_reviews = total_reviews + more_reviews, total_stars = total_stars + more_stars
    where id = coalesce(new.plan_id, old.plan_id);
  return null;
end $$;
create trigger reviews_rating after insert or delete or update of stars on reviews
  for each row execute function rate_by_review();
