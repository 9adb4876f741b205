-- Each list, queue and scheduled job reads the rows that it shows or works on, however many there are of others.

-- Of every foreign key the first columns of an index: else a deletion, or a lookup from the other side, reads the table.
create index interactions_of_plan on interactions (plan_id);
-- The requests of a plan that are completed are found by the one above.
drop index interactions_by_plan;
create index interactions_by_confirmer on interactions (confirmed_by) where confirmed_by is not null;
create index interactions_by_canceller on interactions (cancelled_by) where cancelled_by is not null;
create index meeting_proposals_of_request on meeting_proposals (interaction_id);
create index payouts_by_sender on payouts (sent_by) where sent_by is not null;
create index request_decisions_by_admin on request_decisions (decided_by) where decided_by is not null;
create index reports_by_reporter on reports (reporter_id) where reporter_id is not null;

-- The mark of one chat is found by either index: by the member alone it was looked for among all of that member's.
drop index chat_marks_by_member;
create index chat_marks_by_member on chat_marks (member_id, chat_id);

-- The clean-up each night.
create index sessions_by_expiry on sessions (expires_at);
create index tokens_by_expiry on tokens (expires_at);

-- The queue of the admins has no cancelled requests.
drop index interactions_awaiting;
create index interactions_awaiting on interactions (user_set_done_at, id)
  where user_set_done_at is not null and completed_at is null and cancelled_at is null;

-- What is held of requests under way, summed by the index alone; and the paid requests of a member that are under way.
create index interactions_held on interactions (paid_at) include (price_centavos)
  where price_centavos > 0 and paid_at is not null and cancelled_at is null and completed_at is null;
create index interactions_held_of_client on interactions (client_id)
  where paid_at is not null and cancelled_at is null and completed_at is null;
create index interactions_held_for_creator on interactions (creator_id)
  where paid_at is not null and cancelled_at is null and completed_at is null;
create index accounts_banned on accounts (id) where blocked_at is not null and deleted_at is null;

-- Payment links that could not be made.
drop index interactions_unpaid;
create index interactions_without_link on interactions (created_at)
  where price_centavos > 0 and link_id is null and paid_at is null and cancelled_at is null;

-- When the provider is next asked whether a link is paid: young requests soon, old ones ever more seldom, after a day about
-- every quarter of an hour, and at least once an hour. Of a cancelled request for a week, since a payment may have crossed
-- with its end; then null. Immutable: the intervals are hours, which no time zone changes.
create function next_link_check(sent_at timestamptz, checked_at timestamptz, cancelled_at timestamptz) returns timestamptz
  language plpgsql immutable parallel safe as $$
  declare
    last timestamptz := coalesce(checked_at, sent_at);
    next timestamptz := last + least((last - sent_at) / 99, interval '1 hour');
  begin
    return case when cancelled_at is null or next < cancelled_at + interval '168 hours' then next end;
  end $$;
alter table interactions add column link_due_at timestamptz(3) generated always as (
  case when link_id is not null and paid_at is null then next_link_check(created_at, link_checked_at, cancelled_at) end) stored;
create index interactions_link_due on interactions (link_due_at) where link_due_at is not null;
