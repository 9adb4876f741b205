-- Browsers that get a member's notifications by Web Push. Each is tied to the session that it has: whatever ends the session
-- removes it. A password change removes all of the account, so that none stays that somebody else signed in.
create table devices (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  session_id text not null unique references sessions on delete cascade,
  -- Where the browser's push service takes its messages.
  endpoint text not null unique check (length(endpoint) <= 2000),
  -- The browser's keys, by which messages are encrypted for it alone.
  p256dh text not null,
  auth text not null,
  user_agent text not null default '',
  -- Whether its notifications may show the text of messages, also on a lock screen.
  shows_text boolean not null default false,
  created_at timestamptz(3) not null default now(),
  -- When the app last said from there that it still gets them.
  renewed_at timestamptz(3) not null default now()
);
create index devices_of_account on devices (account_id, created_at desc, id desc);

-- When a push service first accepted it for a device: then its email is not sent.
alter table notifications add column pushed_at timestamptz(3);
-- What was pushed and read since then is closed with the next push.
create index notifications_read_after_push on notifications (profile_id, read_at desc)
  where pushed_at is not null and read_at is not null;

create function remove_devices() returns trigger language plpgsql as $$
begin
  delete from devices where account_id = new.id;
  return null;
end $$;
create trigger devices_end_with_password after update of password_hash on accounts
  for each row when (old.password_hash is distinct from new.password_hash) execute function remove_devices();
