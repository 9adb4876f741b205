-- A one-to-one chat: its messages are those of the chat of the same id.
create table conversations (
  id text primary key,
  -- The two account ids joined, who began it first.
  mix_id text not null,
  first_id text not null references profiles on delete cascade,
  second_id text not null references profiles on delete cascade,
  first_account_id text not null references accounts on delete cascade,
  second_account_id text not null references accounts on delete cascade,
  -- A paid request between the two keeps it open for good.
  remove_expired boolean not null default false,
  created_at timestamptz(3) not null default now(),
  check (first_id <> second_id),
  check (mix_id = first_account_id || second_account_id)
);
-- One of each pair, whoever began it.
create unique index conversations_one_per_pair on conversations (least(first_id, second_id), greatest(first_id, second_id));
-- Looked up by pair key, in both orders.
create index conversations_by_mix on conversations (mix_id);
create index conversations_by_reversed_mix on conversations ((second_account_id || first_account_id));
create index conversations_by_first on conversations (first_id);
create index conversations_by_second on conversations (second_id);
create index conversations_by_first_account on conversations (first_account_id);
create index conversations_by_second_account on conversations (second_account_id);

-- What a member chose about chats; without a row the defaults hold.
create table chat_settings (
  profile_id text primary key references profiles on delete cascade,
  messages_from text not null default 'everyone' check (messages_from in ('everyone', 'verified', 'plans', 'nobody')),
  show_read_marks boolean not null default true,
  show_last_seen boolean not null default true
);

-- Whether the member ignored this message request: it is in no list until the member answers it.
alter table chat_entries add column ignored boolean not null default false;

-- Held to the end of a transaction that begins a conversation of a pair, or that changes what its begin depends on.
create function lock_pair(one text, other text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended(least(one, other) || ' ' || greatest(one, other), 54))
$$;

-- A block waits for a conversation that the two begin at the same time, and stops its chat too.
create or replace function stop_chats_of_blocked() returns trigger language plpgsql as $$
declare
  blocker text = coalesce(new.blocker_id, old.blocker_id);
  blocked text = coalesce(new.blocked_id, old.blocked_id);
begin
  perform lock_pair(blocker, blocked);
  perform stop_chats(blocker, blocked);
  return null;
end $$;

-- A paid request keeps the conversation of its two members open for good, and they are no strangers any more. Both learn
-- of it from a line in the chat, which a job writes.
create function lift_expiry_of_paid() returns trigger language plpgsql as $$
declare lifted text;
begin
  perform lock_pair(new.client_id, new.creator_id);
  update conversations set remove_expired = true
    where least(first_id, second_id) = least(new.client_id, new.creator_id)
      and greatest(first_id, second_id) = greatest(new.client_id, new.creator_id) and not remove_expired
    returning id into lifted;
  if lifted is not null then
    update chats set expires_at = null, awaits_id = null where id = lifted;
    perform graphile_worker.add_job('conversations.expiryLifted', json_build_object('conversationId', lifted),
      job_key => 'conversations.expiryLifted:' || lifted);
  end if;
  return null;
end $$;
create trigger interactions_lift_expiry_of_new after insert on interactions
  for each row when (new.paid_at is not null and new.cancelled_at is null) execute function lift_expiry_of_paid();
create trigger interactions_lift_expiry after update of paid_at on interactions
  for each row when (old.paid_at is null and new.paid_at is not null and new.cancelled_at is null)
  execute function lift_expiry_of_paid();
