-- The id of a like or save is that of §3, and finds it among its member's own. Of two posts that begin with the same 8
-- characters the later one's record has a longer id.
update post_likes set id = post_likes.id || '.' || left(md5(post_likes.post_id), 19)
  from (select who_liked, post_id, row_number() over (partition by who_liked, id order by created_at, post_id) as place
    from post_likes) as placed
  where placed.place > 1 and (placed.who_liked, placed.post_id) = (post_likes.who_liked, post_likes.post_id);
create unique index post_likes_own_id on post_likes (who_liked, id);

update saves set id = saves.id || '.' || left(md5(saves.post_id), 19)
  from (select user_id, post_id, row_number() over (partition by user_id, id order by created_at, post_id) as place
    from saves) as placed
  where placed.place > 1 and (placed.user_id, placed.post_id) = (saves.user_id, saves.post_id);
create unique index saves_own_id on saves (user_id, id);

-- Lists of documents by creation.
create index profiles_by_creation on profiles (created_at desc, id desc);
