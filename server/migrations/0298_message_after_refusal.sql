-- A message that waited for a change of its chat was refused for what had ended by that change, such as a block that was lifted. Its reason is
-- looked at again under the lock, and without one the message is stored.
create or replace function store_message(
  p_chat text, p_id text, p_user text, p_name text, p_body text, p_picture jsonb, p_image text, p_reply_to integer,
  p_key text, p_kind text, p_preview_length integer, p_request_messages integer
) returns table (
  state text, sequence integer, created_at timestamptz, kind text, first_id text, second_id text,
  first_account_id text, second_account_id text, first_count integer, second_count integer, version integer, awaits_id text,
  expires_at timestamptz
) language plpgsql as $$
#variable_conflict use_column
declare
  chat chats;
  earlier messages;
begin
  loop
    update chats set last_sequence = last_sequence + 1, updated_at = now(),
      first_count = chats.first_count + (p_user is not distinct from chats.first_id)::int,
      second_count = chats.second_count + (p_user is not distinct from chats.second_id)::int,
      -- Who answers accepts.
      awaits_id = nullif(awaits_id, p_user),
      version = chats.version + 1, preview = left(p_body, p_preview_length), preview_by = p_user, newest_at = now()
    where id = p_chat and (p_kind is null or chats.kind = p_kind) and (p_user is null or (p_user in (chats.first_id, chats.second_id)
      and closed_at is null and not blocked and (expires_at is null or expires_at > now())
      and (awaits_id is null or awaits_id = p_user or (p_image is null
        and case p_user when chats.first_id then chats.first_count else chats.second_count end < p_request_messages))))
    returning * into chat;
    exit when found;
    -- The row is locked from here on: why the message was refused, unless that has ended meanwhile.
    select * into chat from chats where id = p_chat and (p_kind is null or chats.kind = p_kind)
      and p_user in (chats.first_id, chats.second_id) for no key update;
    if not found then
      state = 'not_found';
      return next;
      return;
    end if;
    state = case when chat.closed_at is not null then 'closed' when chat.blocked then 'blocked'
      when chat.expires_at <= now() then 'expired' when chat.awaits_id is null or chat.awaits_id = p_user then null
      when p_image is not null then 'text_only'
      when case p_user when chat.first_id then chat.first_count else chat.second_count end >= p_request_messages then 'request_full' end;
    sequence = (select sent.sequence from messages as sent
      where sent.chat_id = p_chat and sent.user_id = p_user and sent.client_key = p_key);
    if sequence is not null then state = 'earlier'; end if;
    if state is not null then
      return next;
      return;
    end if;
  end loop;
  insert into messages (chat_id, sequence, id, user_id, name, body, picture, image_id, reply_to, client_key, first_count,
    second_count)
  values (p_chat, chat.last_sequence, p_id, p_user, p_name, p_body, p_picture, p_image,
    case when p_reply_to < chat.last_sequence then p_reply_to end, p_key, chat.first_count, chat.second_count)
  on conflict (chat_id, user_id, client_key) do nothing
  returning messages.sequence, messages.created_at into sequence, created_at;
  if sequence is null then
    -- Stored before: the chat counts on as if this had not been called, and shows its newest message.
    select * into earlier from messages where chat_id = p_chat and messages.sequence = chat.last_sequence - 1;
    update chats set last_sequence = last_sequence - 1,
      first_count = chats.first_count - (p_user is not distinct from chats.first_id)::int,
      second_count = chats.second_count - (p_user is not distinct from chats.second_id)::int,
      preview = left(earlier.body, p_preview_length), preview_by = earlier.user_id, newest_at = earlier.created_at
    where id = p_chat;
    state = 'earlier';
    sequence = (select sent.sequence from messages as sent
      where sent.chat_id = p_chat and sent.user_id is not distinct from p_user and sent.client_key = p_key);
    return next;
    return;
  end if;
  state = 'stored';
  kind = chat.kind;
  first_id = chat.first_id;
  second_id = chat.second_id;
  first_account_id = chat.first_account_id;
  second_account_id = chat.second_account_id;
  first_count = chat.first_count;
  second_count = chat.second_count;
  version = chat.version;
  awaits_id = chat.awaits_id;
  expires_at = chat.expires_at;
  return next;
end $$;
