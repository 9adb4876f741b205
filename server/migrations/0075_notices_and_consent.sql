-- What the parties of a request were told of it: each event once for each person. `occasion` tells events apart that
-- happen more than once, such as 'day-3' of a reminder; `details` are what the texts say beyond the request's own columns.
create table notices (
  interaction_id text not null references interactions (id) on delete cascade,
  event text not null,
  occasion text not null default '',
  profile_id text not null references profiles (id),
  details jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  -- Since when its email is queued and its line is in the plan chat; null while a job has to do it.
  delivered_at timestamptz(3),
  primary key (interaction_id, event, occasion, profile_id)
);
create index notices_of_profile on notices (profile_id, created_at desc);

-- What notices say of a request. The features of its tables build on notices.
create view notice_requests as
  select interactions.id, plan_title, price_centavos, interactions.client_id, interactions.creator_id, paid_at,
    receipts.id as chat_id
  from interactions left join receipts on receipts.interaction_id = interactions.id;

-- What happened before stands in the plan chats, under the same keys, and is not mailed any more.
insert into notices (interaction_id, event, profile_id, created_at, delivered_at)
select interactions.id, event, profile_id, happened_at, now()
from interactions
  cross join lateral (values ('paid', paid_at), ('accepted', accepted_at), ('fulfilled', user_set_done_at),
    ('confirmed', admin_set_done_at), ('cancelled', cancelled_at), ('refunded', refunded_at)) as events (event, happened_at)
  cross join lateral (values (client_id), (creator_id)) as parties (profile_id)
where happened_at is not null;

-- When the member agreed to the terms and the privacy policy and said to be at least 18, and to which version; null for
-- accounts that did not yet.
alter table accounts
  add column terms_version text,
  add column consented_at timestamptz(3),
  add constraint accounts_consent check ((terms_version is null) = (consented_at is null));
