-- The stage of a request follows from its states; contract/src/stages.ts (stageOf) computes the same for a record.
alter table interactions add column stage text not null generated always as (
  case
    when cancelled_at is not null then 'cancelled'
    when completed_at is not null then 'completed'
    when user_set_done_at is not null then 'fulfilled'
    when accepted_at is not null and paid_at is not null then 'ready'
    when accepted_at is not null then 'accepted'
    when paid_at is not null then 'paid'
    else 'requested'
  end) stored;
