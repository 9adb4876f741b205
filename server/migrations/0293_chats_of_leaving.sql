-- Whether the chats of a member who leaves or stays can be written to, of very many of them by a job, pair by pair: one transaction
-- would hold locks of all shards of a Citus cluster, and take longer than a call may.

-- The chats of a member, each with the other one's id: they are found by what they are about.
create function member_chats(member text) returns table (id text, other_id text) language sql stable as $$
  select id, case first_id when member then second_id else first_id end from conversations
    where first_id = member or second_id = member
  union all
  select id, case creator_id when member then client_id else creator_id end from receipts
    where creator_id = member or client_id = member
$$;

create or replace function stop_chats_of_leaving() returns trigger language plpgsql as $$
declare
  most constant int = 500;
  member text = (select id from profiles where account_id = new.id);
  ids text[];
  chat record;
begin
  -- At the end of a deletion they stay as they are: nobody writes to who is gone.
  if new.deleted_at is not null then
    return null;
  end if;
  ids = array(select id from member_chats(member) order by id limit most + 1);
  if cardinality(ids) > most then
    perform graphile_worker.add_job('messages.stopChats', json_build_object('profileId', member),
      job_key => 'messages.stopChats:' || member, max_attempts => 32767);
    return null;
  end if;
  perform lock_chats(ids);
  -- Each by a statement of its own, which asks one shard.
  for chat in
    select id, new.deletes_at is not null or exists (
      select from hidden_members where (viewer_id, profile_id) in ((member, other_id), (other_id, member))) as is_hidden
    from member_chats(member)
  loop
    update chats set blocked = chat.is_hidden where id = chat.id and blocked <> chat.is_hidden;
  end loop;
  return null;
end $$;
