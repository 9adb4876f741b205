-- On a Citus cluster the tables of chats are spread over its workers by the id of the chat, and all else is on the coordinator: chats of
-- members are found by what they are about, and then each is asked for by its id.
drop index receipts_by_creator;
create index receipts_by_pair on receipts (creator_id, client_id);

-- Ids of the chats of two members, in the order in which chats are locked.
create function chats_between(one text, other text) returns text[] language sql stable as $$
  select array(
    select id from conversations
      where least(first_id, second_id) = least(one, other) and greatest(first_id, second_id) = greatest(one, other)
    union all select id from receipts where creator_id = one and client_id = other
    union all select id from receipts where creator_id = other and client_id = one
    order by id)
$$;

-- Each by a statement of its own: Citus locks no rows of several shards by one.
create function lock_chats(ids text[]) returns void language plpgsql as $$
declare chat text;
begin
  foreach chat in array ids loop
    perform from chats where id = chat for no key update;
  end loop;
end $$;

-- As in migration 0068.
create or replace function stop_chats(one text, other text) returns void language plpgsql as $$
declare
  chat text;
  ids text[] = chats_between(one, other);
  is_hidden boolean;
begin
  perform lock_chats(ids);
  is_hidden = exists (select from hidden_members where (viewer_id, profile_id) in ((one, other), (other, one)));
  foreach chat in array ids loop
    update chats set blocked = is_hidden where id = chat;
  end loop;
end $$;

create or replace function stop_chats_of_leaving() returns trigger language plpgsql as $$
declare
  member text = (select id from profiles where account_id = new.id);
  ids text[] = array(
    select id from conversations where first_id = member or second_id = member
    union all select id from receipts where creator_id = member or client_id = member
    order by id);
begin
  perform lock_chats(ids);
  if new.deletes_at is not null then
    update chats set blocked = true where id = any(ids) and not blocked;
  -- Not at the end of a deletion: nobody writes to who is gone.
  elsif new.deleted_at is null then
    ids = array(
      select id from (
        select id, first_id, second_id from conversations where first_id = member or second_id = member
        union all select id, creator_id, client_id from receipts where creator_id = member or client_id = member) as own
      where not exists (select from hidden_members where (viewer_id, profile_id) in ((first_id, second_id), (second_id, first_id))));
    update chats set blocked = false where id = any(ids) and blocked;
  end if;
  return null;
end $$;

-- The message requests of a member that wait for an answer.
create index chat_entries_awaited on chat_entries (member_id) where awaits_id is not null;
