-- What sends and unsends touches only tables keyed by the chat's id. The row of a chat has what the lists show of it, under
-- a version that each change raises; a step after the commit copies it into the lists, and never lowers a version there.
alter table chats
  add column version integer not null default 0,
  -- The begin of the newest message, empty of a picture alone; who wrote it; and when.
  add column preview text not null default '',
  add column preview_by text,
  add column newest_at timestamptz(3) not null default now();
update chats set version = last_sequence, newest_at = created_at;
update chats set preview = left(newest.body, 100), preview_by = newest.user_id, newest_at = newest.created_at
from messages as newest where newest.chat_id = chats.id and newest.sequence = chats.last_sequence;

-- Finds what was taken back just before a crash.
create index messages_by_unsent on messages (unsent_at) where unsent_at is not null;

-- Lists are read without the chats: they have what decides where a chat stands, and its pair key.
alter table chat_entries
  add column version integer not null default 0,
  add column mix_id text not null default '',
  add column awaits_id text,
  add column expires_at timestamptz(3);
insert into chat_entries (member_id, chat_id, kind, other_id, mix_id, version, last_sequence, incoming, preview, preview_by,
  awaits_id, expires_at, updated_at)
select member.id, chats.id, kind, member.other_id,
  case kind when 'conversation' then first_account_id || second_account_id else '' end, version, last_sequence, member.incoming,
  case when last_sequence > 0 then coalesce(nullif(preview, ''), '📷') else '' end, preview_by, awaits_id, expires_at, newest_at
from chats cross join lateral (values (first_id, second_id, last_sequence - first_count),
  (second_id, first_id, last_sequence - second_count)) as member(id, other_id, incoming)
-- The list of who left is gone.
where exists (select from profiles where profiles.id = member.id and deleted_at is null)
on conflict (member_id, chat_id) do update set version = excluded.version, mix_id = excluded.mix_id,
  last_sequence = excluded.last_sequence, incoming = excluded.incoming, preview = excluded.preview,
  preview_by = excluded.preview_by, awaits_id = excluded.awaits_id, expires_at = excluded.expires_at,
  updated_at = excluded.updated_at;
-- The list in which the member finds the chat; null: in none, as it was hidden or ignored.
alter table chat_entries add column listed_in text generated always as (
  case when last_sequence <= hidden_through then null when awaits_id = member_id then case when not ignored then 'requests' end
    when kind = 'receipt' then 'receipts' else 'conversations' end) stored;
drop index chat_entries_newest;
create index chat_entries_newest on chat_entries (member_id, listed_in, updated_at desc, chat_id desc);
create index chat_entries_unread on chat_entries (member_id, listed_in) where incoming > incoming_read;

-- One writer writes the lists of both kinds.
drop table chat_entry_progress;
create table chat_entry_progress (
  single boolean primary key default true check (single),
  -- The lists are complete for every change of a chat before; at a start what came later is repaired.
  saved_through timestamptz(3) not null
);
insert into chat_entry_progress (saved_through) values (now());

/*
 * Stores one message and answers what became of it. Every statement names the chat by its id.
 * Of another kind than `p_kind` a chat is not found.
 *   state  stored | earlier (the same member stored it before under the same key: `sequence` tells where)
 *          | not_found | closed | blocked | expired | text_only | request_full
 * `p_preview_length`: characters of the preview; `p_request_messages`: how many messages a message request has at most.
 */
drop function store_message(text, text, text, text, text, jsonb, text, integer, text, text);
create function store_message(
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
  if not found then
    select * into chat from chats where id = p_chat and (p_kind is null or chats.kind = p_kind)
      and p_user in (chats.first_id, chats.second_id) for no key update;
    if not found then
      state = 'not_found';
      return next;
      return;
    end if;
    state = case when chat.closed_at is not null then 'closed' when chat.blocked then 'blocked'
      when chat.expires_at <= now() then 'expired' when p_image is not null then 'text_only' else 'request_full' end;
    sequence = (select sent.sequence from messages as sent
      where sent.chat_id = p_chat and sent.user_id = p_user and sent.client_key = p_key);
    if sequence is not null then state = 'earlier'; end if;
    return next;
    return;
  end if;
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

-- As in migration 0054; the job that it enqueues also writes the lists.
create or replace function lift_expiry_of_paid() returns trigger language plpgsql as $$
declare lifted text;
begin
  perform lock_pair(new.client_id, new.creator_id);
  update conversations set remove_expired = true
    where least(first_id, second_id) = least(new.client_id, new.creator_id)
      and greatest(first_id, second_id) = greatest(new.client_id, new.creator_id) and not remove_expired
    returning id into lifted;
  if lifted is not null then
    update chats set expires_at = null, awaits_id = null, version = version + 1 where id = lifted;
    perform graphile_worker.add_job('conversations.expiryLifted', json_build_object('conversationId', lifted),
      job_key => 'conversations.expiryLifted:' || lifted);
  end if;
  return null;
end $$;
