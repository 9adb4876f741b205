-- Whether two members can write is decided by one transaction after the other: a deletion that is undone while the other
-- blocks must not open their chats again. The rule is read after the lock, when what held it is committed.
create or replace function stop_chats(one text, other text) returns void language plpgsql as $$
declare is_hidden boolean;
begin
  perform lock_pair(one, other);
  is_hidden = exists (select from hidden_members where (viewer_id, profile_id) in ((one, other), (other, one)));
  update chats set blocked = is_hidden where first_id = one and second_id = other;
  update chats set blocked = is_hidden where first_id = other and second_id = one;
end $$;

-- Each pair once, and all in the same order.
create or replace function stop_chats_of_leaving() returns trigger language plpgsql as $$
begin
  perform stop_chats(member_id, other_id) from (
    select distinct member_id, other_id from profiles join chat_entries on member_id = profiles.id
    where account_id = new.id order by other_id) as pairs;
  return null;
end $$;

-- An export looks for the chats of a member, who may stand second.
create index chats_by_second on chats (second_id);
