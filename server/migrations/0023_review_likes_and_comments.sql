-- Both totals move only by the triggers below, in the statement that adds or removes the row.
alter table reviews
  add column total_likes integer not null default 0 check (total_likes >= 0),
  add column total_comments integer not null default 0 check (total_comments >= 0);

create table review_likes (
  -- The first 8 characters of the member's id and of the review's (§3); uniqueness is by the full pair.
  id text not null,
  who_liked text not null references profiles on delete cascade,
  review_id text not null references reviews on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (who_liked, review_id)
);
create index review_likes_by_review on review_likes (review_id);

create table review_comments (
  id text primary key,
  review_id text not null references reviews on delete cascade,
  creator_id text not null references profiles on delete cascade,
  -- Chosen by the writer's device, so that a comment that is sent again is stored once.
  client_key text not null,
  body text not null,
  created_at timestamptz(3) not null default now(),
  unique (review_id, creator_id, client_key)
);
create index review_comments_by_review on review_comments (review_id, created_at desc, id desc);
create index review_comments_by_creator on review_comments (creator_id);

-- A trigger, so that every way of removing rows (an account's deletion, an admin's decision) keeps the totals right.
create function count_likes_of_review() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update reviews set total_likes = total_likes + 1 where id = new.review_id;
  else
    update reviews set total_likes = total_likes - 1 where id = old.review_id;
  end if;
  return null;
end $$;
create trigger review_likes_total after insert or delete on review_likes
  for each row execute function count_likes_of_review();

create function count_comments_of_review() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update reviews set total_comments = total_comments + 1 where id = new.review_id;
  else
    update reviews set total_comments = total_comments - 1 where id = old.review_id;
  end if;
  return null;
end $$;
create trigger review_comments_total after insert or delete on review_comments
  for each row execute function count_comments_of_review();
