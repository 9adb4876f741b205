-- What members are notified of, each event once for each person: of requests as before, and of everything else (decision
-- 0160). `interaction_id` is null beside requests; `record_id` is then what it is about, such as a post.
alter table notices rename to notifications;
alter table notifications drop constraint notices_pkey;
alter table notifications alter column interaction_id drop not null;
alter table notifications
  add column id text not null default replace(gen_random_uuid()::text, '-', '') primary key,
  add column group_name text not null default 'plans',
  add column record_id text not null default '',
  -- The member who did it, beside requests.
  add column actor_id text references profiles (id),
  -- Whether the member's list has it: some are a line in the plan chat alone.
  add column in_app boolean not null default true,
  add column read_at timestamptz(3),
  -- Where its email goes, unless to the address that the account has by then.
  add column mail_to text,
  add constraint notifications_about check ((interaction_id is null) or (record_id = ''));
alter table notifications alter column group_name drop default;
alter table notifications alter column in_app drop default;
-- Requests are never deleted. The check of a reference locks their table also where there is no request, so that sign-ins and
-- messages would wait for every change of its columns.
alter table notifications drop constraint notices_interaction_id_fkey;
alter table notifications rename constraint notices_profile_id_fkey to notifications_profile_id_fkey;

-- What happened before was mailed, and is nothing new; the rest is delivered below.
update notifications set read_at = case when delivered_at is not null then created_at end,
  in_app = not (event = 'paid' and exists (select from interactions where id = interaction_id and price_centavos = 0)),
  group_name = case when event in ('chargedBack', 'disputed', 'disputeAnswered', 'decided', 'confirmed', 'paidOut', 'payoutNumber',
    'payoutRefused', 'refundNumber', 'refunded') then 'money' else 'plans' end;

drop index notices_of_profile;
create unique index notifications_once on notifications (interaction_id, event, occasion, profile_id, record_id) nulls not distinct;
create index notifications_listed on notifications (profile_id, created_at desc, id desc);
create index notifications_by_group on notifications (profile_id, group_name, created_at desc, id desc);
create index notifications_unread on notifications (profile_id, created_at desc, id desc) where in_app and read_at is null;
create index notifications_read on notifications (read_at) where read_at is not null;
create index notifications_by_actor on notifications (actor_id) where actor_id is not null;
create index notifications_by_record on notifications (record_id) where record_id <> '';

-- What one was notified of goes with the record that it is about.
create function forget_notifications() returns trigger language plpgsql as $$ begin
  delete from notifications where record_id in (select id from gone) and record_id <> '';
  return null;
end $$;
create trigger posts_forget_notifications after delete on posts
  referencing old table as gone for each statement execute function forget_notifications();
create trigger reviews_forget_notifications after delete on reviews
  referencing old table as gone for each statement execute function forget_notifications();
create trigger review_comments_forget_notifications after delete on review_comments
  referencing old table as gone for each statement execute function forget_notifications();

-- The newest likes of a review, as of a post.
create index review_likes_of_review on review_likes (review_id, created_at desc, who_liked desc);
drop index review_likes_by_review;

-- Which conversations end soon.
create index chats_expiring on chats (expires_at) where expires_at is not null;

-- What notifications say of a request. The features of its tables build on notifications.
drop view notice_requests;
create view notification_requests as
  select interactions.id, plan_title, price_centavos, interactions.client_id, interactions.creator_id, paid_at,
    receipts.id as chat_id, interactions.completed_at is null and interactions.cancelled_at is null as is_open
  from interactions left join receipts on receipts.interaction_id = interactions.id;

-- What waits to be delivered has other jobs from now on.
select graphile_worker.remove_job('notices.deliver:' || interaction_id),
  graphile_worker.add_job('receipts.writeLines', json_build_object('interactionId', interaction_id),
    job_key => 'receipts.writeLines:' || interaction_id, max_attempts => 32767),
  graphile_worker.add_job('notifications.deliver', json_build_object('ids', json_agg(id)), max_attempts => 32767)
from notifications where delivered_at is null group by interaction_id;

-- Admins are few.
create index accounts_of_admins on accounts (id) where 'admin' = any(labels);

-- Whom notifications reach. Accounts and profiles notify as well.
create view notification_recipients as
  select profiles.id as profile_id, profiles.account_id,
    case when email_verified_at is not null then email end as email, 'admin' = any(labels) as is_admin,
    blocked_at is not null or deletes_at is not null or coalesce(suspended_until > now(), false) as is_closed
  from profiles join accounts on accounts.id = profiles.account_id;
