-- Lists of the backend service ordered by likes. The total stands beside the popularity, whose row each like writes anyway: an
-- index on posts would make each like write every index of the post.
alter table post_popularity add column total_likes integer not null default 0;
update post_popularity set total_likes = posts.total_likes from posts
  where posts.id = post_popularity.post_id and posts.total_likes <> 0;
create index post_popularity_by_likes on post_popularity (total_likes desc, post_id desc);

create or replace function count_post_likes() returns trigger language plpgsql as $$
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
    update post_popularity set total_likes = posts.total_likes, popular_at = case
        when counted.likes > 1 then count_popularity(counted.post_id, '')
        when tg_op = 'INSERT' then popularity_with(popular_at, counted.liked_at)
        else popularity_without(popular_at, counted.liked_at, counted.post_id, '') end
      from (select post_id, count(*) as likes, max(created_at) as liked_at from changed group by post_id) as counted
      join posts on posts.id = counted.post_id
      where post_popularity.post_id = counted.post_id;
  end if;
  return null;
end $$;
