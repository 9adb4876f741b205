-- A member begins a bounded number of message requests: an hour, and of those that wait for an answer.
alter table conversations add column is_request boolean not null default false;
update conversations set is_request = true from chats where chats.id = conversations.id and awaits_id is not null;
create index conversations_requested on conversations (first_id, created_at) where is_request;

-- Held to the end of a transaction that begins a message request: two at once count each other.
create function lock_requests(member text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended(member, 71))
$$;
