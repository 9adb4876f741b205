-- The id of a like of a review finds it among its member's own, as those of posts do (0090). Of two reviews that begin with
-- the same 8 characters the later one's like has a longer id.
update review_likes set id = review_likes.id || '.' || left(md5(review_likes.review_id), 19)
  from (select who_liked, review_id, row_number() over (partition by who_liked, id order by created_at, review_id) as place
    from review_likes) as placed
  where placed.place > 1 and (placed.who_liked, placed.review_id) = (review_likes.who_liked, review_likes.review_id);
create unique index review_likes_own_id on review_likes (who_liked, id);
