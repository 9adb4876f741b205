-- Whether two members can write is decided by one transaction after the other: a deletion that is undone while one blocks
-- the other must not open their chats again. Therefore the rule is read once their chats are locked, by a statement of its
-- own, which sees what held them before. Chats are locked in the order in which messages of several are stored.
create or replace function stop_chats(one text, other text) returns void language plpgsql as $$
declare is_hidden boolean;
begin
  perform from chats where (first_id, second_id) in ((one, other), (other, one)) order by id for no key update;
  is_hidden = exists (select from hidden_members where (viewer_id, profile_id) in ((one, other), (other, one)));
  update chats set blocked = is_hidden where first_id = one and second_id = other;
  update chats set blocked = is_hidden where first_id = other and second_id = one;
end $$;

-- Of who leaves or stays all chats at once: there may be thousands.
create or replace function stop_chats_of_leaving() returns trigger language plpgsql as $$
declare member text = (select id from profiles where account_id = new.id);
begin
  perform from chats where first_id = member or second_id = member order by id for no key update;
  if new.deletes_at is not null then
    update chats set blocked = true where (first_id = member or second_id = member) and not blocked;
  -- Not at the end of a deletion: nobody writes to who is gone.
  elsif new.deleted_at is null then
    update chats set blocked = false where (first_id = member or second_id = member) and blocked and not exists (
      select from hidden_members where (viewer_id, profile_id) in ((first_id, second_id), (second_id, first_id)));
  end if;
  return null;
end $$;

-- Also the chats of a member who stands second are found by it: by this trigger, and by an export.
create index chats_by_second on chats (second_id);
