-- How notifications reach a member; without a row the defaults hold (decision 0165).
create table notification_settings (
  profile_id text primary key references profiles on delete cascade,
  -- 'posts email': the ways of groups that are off.
  switched_off text[] not null default '{}',
  -- Hours of the member's day.
  quiet_from smallint check (quiet_from between 0 and 23),
  quiet_until smallint check (quiet_until between 0 and 23),
  time_zone text not null default 'Asia/Manila',
  daily_email boolean not null default true,
  paused_until timestamptz(3),
  -- Chats of whose messages the push is held up.
  held_chats text[] not null default '{}',
  check ((quiet_from is null) = (quiet_until is null) and quiet_from <> quiet_until)
);

-- Until when quiet hours or a pause hold the email, and the push, up; then all that was held is delivered as one.
alter table notifications add column mail_held_until timestamptz(3), add column push_held_until timestamptz(3);
create index notifications_held_for_push on notifications (profile_id) where push_held_until is not null;
-- What still has to be mailed to a member.
create index notifications_undelivered on notifications (profile_id, created_at desc, id desc) where delivered_at is null;
