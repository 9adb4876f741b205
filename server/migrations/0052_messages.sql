-- Chats of two members: one-to-one, or of one paid request. Everything that sending, reading, marking and unsending needs
-- is in tables keyed by the chat's id, so that they can be distributed by it; therefore nothing here refers to members,
-- requests or files.
create table chats (
  id text primary key,
  kind text not null check (kind in ('conversation', 'receipt')),
  -- Its two members: of a plan chat the creator and the client, of a conversation who began it and the other.
  first_id text not null,
  second_id text not null,
  first_account_id text not null,
  second_account_id text not null,
  -- The sequence of its newest message, and how many messages each of the two wrote.
  last_sequence integer not null default 0,
  first_count integer not null default 0,
  second_count integer not null default 0,
  -- What keeps the two from writing, changed together with its cause: the request is over; one blocked the other.
  closed_at timestamptz(3),
  blocked boolean not null default false,
  -- A conversation expires then; null: never.
  expires_at timestamptz(3),
  -- Who has not yet answered the first message of a stranger; null once accepted.
  awaits_id text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (first_id <> second_id)
);
create index chats_by_pair on chats (first_id, second_id);

create table messages (
  chat_id text not null references chats on delete cascade,
  sequence integer not null,
  id text not null,
  -- Null: a line of Tara or an admin.
  user_id text,
  name text not null,
  body text not null default '',
  -- The picture, as it is stored with its file, and the file.
  picture jsonb,
  image_id text,
  -- Sequence of the message it replies to.
  reply_to integer,
  -- Given by the sender, so that sending again changes nothing.
  client_key text not null,
  -- How many messages each of the two wrote up to this one: what is unread is counted by subtraction.
  first_count integer not null,
  second_count integer not null,
  unsent_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (chat_id, sequence),
  unique nulls not distinct (chat_id, user_id, client_key),
  check (body <> '' or image_id is not null)
);
create index messages_by_id on messages (chat_id, id);
create index messages_by_user on messages (user_id);
-- Finds what was stored just before a crash.
create index messages_by_time on messages using brin (created_at);

-- How far each of the two received and read the chat; never falls.
create table chat_marks (
  chat_id text not null references chats on delete cascade,
  member_id text not null,
  delivered integer not null default 0,
  read integer not null default 0,
  -- Messages of others among those read.
  incoming_read integer not null default 0,
  -- Whether the member shows read marks (and so sees them).
  shows_read boolean not null default true,
  updated_at timestamptz(3) not null default now(),
  primary key (chat_id, member_id)
);
create index chat_marks_by_time on chat_marks (updated_at);
create index chat_marks_by_member on chat_marks (member_id);

-- What was taken back in plan chats, hidden from both: for the admin who decides a dispute or report about it.
create table unsent_messages (
  chat_id text not null references chats on delete cascade,
  sequence integer not null,
  body text not null,
  picture jsonb,
  image_id text,
  created_at timestamptz(3) not null default now(),
  primary key (chat_id, sequence)
);

-- Each member's list of chats, written after the message by a step that never lowers a sequence.
create table chat_entries (
  member_id text not null,
  chat_id text not null,
  kind text not null,
  other_id text not null,
  last_sequence integer not null,
  -- Messages of others, and those of them that the member read.
  incoming integer not null,
  read integer not null default 0,
  incoming_read integer not null default 0,
  -- The begin of the newest message, and who wrote it; null for Tara and admins.
  preview text not null,
  preview_by text,
  -- The chat is hidden until there is a message after this one; -1 shows it before its first.
  hidden_through integer not null default 0,
  -- Of the newest message.
  updated_at timestamptz(3) not null,
  primary key (member_id, chat_id)
);
create index chat_entries_newest on chat_entries (member_id, kind, updated_at desc, chat_id desc);
create index chat_entries_by_other on chat_entries (other_id);

-- The lists of a kind are complete for every message stored before; at a start what came later is repaired.
create table chat_entry_progress (
  kind text primary key,
  saved_through timestamptz(3) not null
);
insert into chat_entry_progress values ('conversation', now()), ('receipt', now());

/*
 * Stores one message and answers what became of it. Every statement names the chat by its id.
 * Of another kind than `p_kind` a chat is not found.
 *   state  stored | earlier (the same member stored it before under the same key: `sequence` tells where)
 *          | not_found | closed | blocked | expired | text_only
 */
create function store_message(
  p_chat text, p_id text, p_user text, p_name text, p_body text, p_picture jsonb, p_image text, p_reply_to integer,
  p_key text, p_kind text default null
) returns table (
  state text, sequence integer, created_at timestamptz, kind text, first_id text, second_id text,
  first_account_id text, second_account_id text, first_count integer, second_count integer
) language plpgsql as $$
#variable_conflict use_column
declare chat chats;
begin
  update chats set last_sequence = last_sequence + 1, updated_at = now(),
    first_count = chats.first_count + (p_user is not distinct from chats.first_id)::int,
    second_count = chats.second_count + (p_user is not distinct from chats.second_id)::int,
    -- Who answers accepts.
    awaits_id = nullif(awaits_id, p_user)
  where id = p_chat and (p_kind is null or chats.kind = p_kind) and (p_user is null or (p_user in (chats.first_id, chats.second_id)
    and closed_at is null and not blocked and (expires_at is null or expires_at > now())
    and (p_image is null or awaits_id is null or awaits_id = p_user)))
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
      when chat.expires_at <= now() then 'expired' else 'text_only' end;
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
    -- Stored before: the chat counts on as if this had not been called.
    update chats set last_sequence = last_sequence - 1,
      first_count = chats.first_count - (p_user is not distinct from chats.first_id)::int,
      second_count = chats.second_count - (p_user is not distinct from chats.second_id)::int
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
  return next;
end $$;

-- The plan chats of before.
insert into chats (id, kind, first_id, second_id, first_account_id, second_account_id, last_sequence, closed_at, blocked,
  created_at, updated_at)
select receipts.id, 'receipt', receipts.creator_id, receipts.client_id, creator_account_id, client_account_id, last_sequence,
  coalesce(completed_at, cancelled_at),
  exists (select from hidden_members where (viewer_id, profile_id) in
    ((receipts.creator_id, receipts.client_id), (receipts.client_id, receipts.creator_id))),
  receipts.created_at, receipts.updated_at
from receipts join interactions on interactions.id = interaction_id;
insert into messages (chat_id, sequence, id, user_id, name, body, picture, image_id, client_key, first_count, second_count,
  created_at)
select receipt_id, sequence, sent.id, user_id, sent.name, body,
  (select jsonb_build_object('id', id, 'bucket', bucket, 'width', width, 'height', height, 'variants', variants,
    'thumbhash', thumbhash, 'alt', alt) from files where files.id = image_id),
  image_id, client_key,
  count(*) filter (where user_id = creator_id) over counted, count(*) filter (where user_id = client_id) over counted,
  sent.created_at
from receipt_messages as sent join receipts on receipts.id = receipt_id
window counted as (partition by receipt_id order by sequence);
update chats set first_count = counts.first_count, second_count = counts.second_count
from messages as counts where counts.chat_id = chats.id and counts.sequence = chats.last_sequence;
insert into chat_marks (chat_id, member_id)
select id, unnest(array[first_id, second_id]) from chats;
insert into chat_entries (member_id, chat_id, kind, other_id, last_sequence, incoming, preview, preview_by, updated_at)
select member.id, chats.id, kind, member.other_id, last_sequence, member.incoming, left(coalesce(newest.body, ''), 100),
  newest.user_id, coalesce(newest.created_at, chats.created_at)
from chats
left join messages as newest on newest.chat_id = chats.id and newest.sequence = last_sequence
cross join lateral (values (first_id, second_id, last_sequence - chats.first_count),
  (second_id, first_id, last_sequence - chats.second_count)) as member(id, other_id, incoming);
drop table receipt_messages;
alter table receipts drop column last_sequence, drop column updated_at;

-- A plan chat closes with its request.
create function close_chat_of_request() returns trigger language plpgsql as $$
declare receipt text = (select id from receipts where interaction_id = new.id);
begin
  if receipt is not null then
    update chats set closed_at = coalesce(new.completed_at, new.cancelled_at) where id = receipt;
  end if;
  return null;
end $$;
create trigger interactions_close_chat after update of completed_at, cancelled_at on interactions
  for each row execute function close_chat_of_request();

-- Whether the two can write to each other, in every chat of theirs: not while one is hidden from the other.
create function stop_chats(one text, other text) returns void language plpgsql as $$
declare
  is_hidden boolean = exists (select from hidden_members where (viewer_id, profile_id) in ((one, other), (other, one)));
begin
  update chats set blocked = is_hidden where first_id = one and second_id = other;
  update chats set blocked = is_hidden where first_id = other and second_id = one;
end $$;

create function stop_chats_of_blocked() returns trigger language plpgsql as $$
begin
  perform stop_chats(coalesce(new.blocker_id, old.blocker_id), coalesce(new.blocked_id, old.blocked_id));
  return null;
end $$;
create trigger blocks_stop_chats after insert or delete on blocks
  for each row execute function stop_chats_of_blocked();

-- Who leaves is hidden from everybody, and back when the account is kept.
create function stop_chats_of_leaving() returns trigger language plpgsql as $$
begin
  perform stop_chats(member_id, other_id) from profiles join chat_entries on member_id = profiles.id
    where account_id = new.id;
  return null;
end $$;
create trigger accounts_stop_chats after update of deletes_at on accounts
  for each row when (old.deletes_at is distinct from new.deletes_at) execute function stop_chats_of_leaving();
