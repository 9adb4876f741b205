-- Who likes a post, last like first.
create index post_likes_of_post on post_likes (post_id, created_at desc, who_liked desc);
drop index post_likes_by_post;

-- How popular a post is: a moment. Each like counts half after each 6 hours, and publishing counts as one like. The order
-- of posts by what their likes count now does not change as time goes by, so it is stored: a post that counts as much as
-- one published at a moment stands at that moment. A post without likes stands where it was published.
create table post_popularity (
  post_id text primary key references posts on delete cascade,
  popular_at timestamptz(3) not null
);
create index post_popularity_order on post_popularity (popular_at desc, post_id desc);

-- How much one like counts beside another that is later by `delay`: half for each 6 hours, nothing after 15 days.
create function like_share(delay interval) returns float8
  language sql immutable strict parallel safe
  return power(0.5::float8, least(extract(epoch from delay) / 21600, 60));

-- The popularity after one more like.
create function popularity_with(popular_at timestamptz, liked_at timestamptz) returns timestamptz
  language sql immutable strict parallel safe
  return greatest(popular_at, liked_at) + interval '6 hours'
    * (ln(1 + like_share(greatest(popular_at, liked_at) - least(popular_at, liked_at))) / ln(2::float8));

-- The popularity of a post by its newest 500 likes other than one member's; older ones count almost nothing beside them.
create function count_popularity(post text, except_member text) returns timestamptz
  language sql stable strict
  begin atomic
    with moments as (
      select created_at from posts where id = post
      union all
      (select created_at from post_likes where post_id = post and who_liked <> except_member
       order by created_at desc, who_liked desc limit 500)),
    last as (select max(created_at) as created_at from moments)
    select max(last.created_at) + interval '6 hours'
      * (ln(sum(like_share(last.created_at - moments.created_at))) / ln(2::float8))
    from moments, last;
  end;

-- The popularity after one member's like at `liked_at` is taken back: subtracted when the others count more, else counted
-- again, because a difference of nearly equal numbers would be rounding alone.
create function popularity_without(popular_at timestamptz, liked_at timestamptz, post text, member text)
  returns timestamptz
  language sql stable strict
  return case
    when popular_at - liked_at > interval '6 hours' then popular_at
      + interval '6 hours' * (ln(1 - like_share(popular_at - liked_at)) / ln(2::float8))
    else count_popularity(post, member) end;

create function add_post_popularity() returns trigger language plpgsql as $$
begin
  insert into post_popularity (post_id, popular_at) values (new.id, new.created_at);
  return null;
end $$;
create trigger post_popularity_of_new after insert on posts
  for each row execute function add_post_popularity();

insert into post_popularity (post_id, popular_at) select id, count_popularity(id, '') from posts;
