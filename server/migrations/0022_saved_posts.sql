-- One member's saved posts, last saved first.
create index saves_of_member on saves (user_id, created_at desc, post_id desc);
