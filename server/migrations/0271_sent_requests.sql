-- The message requests that a member sent and that wait. Those that others sent and those that expired are not read for it: of who is
-- known there are thousands.
drop index chat_entries_awaited;
create index chat_entries_requested on chat_entries (member_id, expires_at) where awaits_id = other_id;
