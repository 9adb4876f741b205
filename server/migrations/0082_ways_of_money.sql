-- The way back of a payment, how far payouts and refunds are, and the checks of the ledger.
alter table interactions
  -- Days after the payment in which every method that the checkout offered gives it back; 0: not every one does.
  add column refund_window_days integer not null default 60 check (refund_window_days >= 0);

-- A second payment can need a transfer of its own.
drop index payouts_one_per_purpose;
create unique index payouts_one_of_earnings on payouts (interaction_id) where purpose = 'earnings';
create index payouts_by_request on payouts (interaction_id);
create index payouts_by_age on payouts (created_at, id) where state <> 'paid';
create index refunds_by_age on refunds (created_at, id) where state <> 'refunded';

-- How far the payout and the refund of each request are, for the feature of requests, on which payments build.
create view interaction_money as
  select interactions.id as interaction_id,
    profiles.phone_number as creator_number,
    earnings.amount_centavos as payout_centavos,
    earnings.state as payout_state,
    earnings.last_error as payout_error,
    exists (select from payout_attempts where payout_id = earnings.id and attempt = earnings.attempt) as payout_sent,
    refunds.amount_centavos as own_refund_centavos,
    refunds.way as refund_way,
    refunds.state as refund_state,
    refunds.refund_id as refund_id,
    coalesce(back.last_error, refunds.last_error) as refund_error,
    exists (select from payout_attempts where payout_id = back.id and attempt = back.attempt) as back_sent,
    -- A transfer of a refund that has nowhere to go: no number was named, or the named one was refused.
    exists (select from payouts where payouts.interaction_id = interactions.id and purpose = 'refund' and state <> 'paid'
      and number is null) as awaits_number
  from interactions
    join profiles on profiles.id = interactions.creator_id
    left join payouts earnings on earnings.interaction_id = interactions.id and earnings.purpose = 'earnings'
    left join refunds on refunds.id = interactions.id
    left join payouts back on back.id = interactions.id || '-refund';

-- Each comparison of the ledger with itself and with the provider.
create table ledger_checks (
  id bigint primary key generated always as identity,
  checked_at timestamptz(3) not null default now(),
  -- What was compared, by kind, and what does not agree: [{ "rule": …, "subject": …, "text": … }].
  counts jsonb not null,
  differences jsonb not null
);
