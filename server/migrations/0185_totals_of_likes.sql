-- Likes of posts and of reviews are counted in one way: a trigger for each statement that adds or removes rows, so that every
-- way of removing them keeps the totals, and one that removes many costs one update of each record.

-- A like could be taken back without its count, of a post whose creator was hidden from the member.
update posts set total_likes = counted.likes
  from (select posts.id, count(post_likes.post_id) as likes
    from posts left join post_likes on post_likes.post_id = posts.id group by posts.id) as counted
  where posts.id = counted.id and posts.total_likes <> counted.likes;

-- A total that was less than what is removed is counted again.
create function count_post_likes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update posts set total_likes = total_likes + counted.likes
      from (select post_id, count(*) as likes from changed group by post_id) as counted
      where posts.id = counted.post_id;
  else
    update posts set total_likes = case
        when total_likes >= counted.likes then total_likes - counted.likes
        else (select count(*) from post_likes where post_likes.post_id = posts.id) end
      from (select post_id, count(*) as likes from changed group by post_id) as counted
      where posts.id = counted.post_id;
  end if;
  -- Not of a post that is being deleted with its likes.
  if found then
    update post_popularity set popular_at = case
        when counted.likes > 1 then count_popularity(counted.post_id, '')
        when tg_op = 'INSERT' then popularity_with(popular_at, counted.liked_at)
        else popularity_without(popular_at, counted.liked_at, counted.post_id, '') end
      from (select post_id, count(*) as likes, max(created_at) as liked_at from changed group by post_id) as counted
      where post_popularity.post_id = counted.post_id;
  end if;
  return null;
end $$;
create trigger post_likes_added after insert on post_likes
  referencing new table as changed for each statement execute function count_post_likes();
create trigger post_likes_removed after delete on post_likes
  referencing old table as changed for each statement execute function count_post_likes();

drop trigger review_likes_total on review_likes;
drop function count_likes_of_review;
create function count_review_likes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update reviews set total_likes = total_likes + counted.likes
      from (select review_id, count(*) as likes from changed group by review_id) as counted
      where reviews.id = counted.review_id;
  else
    update reviews set total_likes = case
        when total_likes >= counted.likes then total_likes - counted.likes
        else (select count(*) from review_likes where review_likes.review_id = reviews.id) end
      from (select review_id, count(*) as likes from changed group by review_id) as counted
      where reviews.id = counted.review_id;
  end if;
  return null;
end $$;
create trigger review_likes_added after insert on review_likes
  referencing new table as changed for each statement execute function count_review_likes();
create trigger review_likes_removed after delete on review_likes
  referencing old table as changed for each statement execute function count_review_likes();
