-- Requests with a day, an end with a reason, and money that moves in parts.
create extension if not exists btree_gist;

alter table interactions
  -- The terms as they were accepted, and the part that the house takes when the money is released.
  add column terms text not null default '',
  add column platform_fee_basis_points integer not null default 0 check (platform_fee_basis_points between 0 and 10000),
  -- The day that stands: the client's proposal, then what both agreed to. A range, so that a creator is booked once.
  add column meets_at timestamptz(3),
  add column meets_until timestamptz(3),
  add column place text not null default '',
  -- Midnight in Manila of the plan's day; without an agreed day, 14 days after it was accepted. Null until accepted.
  add column day_starts_at timestamptz(3),
  -- Until when it can be paid; null for a free plan.
  add column pay_until timestamptz(3),
  -- Where a refund goes that cannot go back through the payment's own method.
  add column refund_number text,
  -- The creator says that they met.
  add column creator_met_at timestamptz(3),
  -- The client objects; decided by an admin, which ends the request.
  add column disputed_at timestamptz(3),
  -- The card issuer of the client takes the money back, or tries to: nothing else moves meanwhile.
  add column frozen_at timestamptz(3),
  add column cancel_reason text check (cancel_reason in
    ('withdrawn', 'declined', 'cancelled', 'unpaid', 'unanswered', 'time_taken', 'removed', 'refunded', 'charged_back')),
  -- What the creator or the admin wrote with it.
  add column cancel_note text not null default '',
  -- What left the escrow for the creator (with the platform fee), and what is on its way back to the client.
  add column released_centavos bigint not null default 0 check (released_centavos between 0 and price_centavos),
  add column refund_centavos bigint not null default 0 check (refund_centavos between 0 and price_centavos),
  add check (released_centavos + refund_centavos <= price_centavos),
  add check ((meets_at is null) = (meets_until is null)),
  add check (meets_until > meets_at and meets_until <= meets_at + interval '48 hours');

update interactions set terms = plans.terms from plans where plans.id = plan_id;
update interactions set
  day_starts_at = date_trunc('day', (accepted_at + interval '14 days') at time zone 'Asia/Manila') at time zone 'Asia/Manila',
  pay_until = case when price_centavos > 0 then greatest(created_at, accepted_at) + interval '7 days' end,
  released_centavos = case when completed_at is not null then price_centavos else 0 end,
  refund_centavos = case when cancelled_at is not null and paid_at is not null then price_centavos else 0 end;
update interactions set cancel_reason = case when cancelled_by = client_id then 'withdrawn'
    when accepted_at is null then 'declined' else 'cancelled' end
  where cancelled_at is not null;
alter table interactions add constraint interactions_cancel_reason
  check ((cancelled_at is null) = (cancel_reason is null));

-- A creator is never booked twice: an accepted request holds its time, and so does a paid one. A free one that nobody
-- accepted does not, because it costs nothing to send.
alter table interactions add constraint interactions_one_booking
  exclude using gist (creator_id with =, tstzrange(meets_at, meets_until) with &&)
  where (meets_at is not null and cancelled_at is null and completed_at is null
    and (accepted_at is not null or (paid_at is not null and price_centavos > 0)));

-- Expired and unanswered requests, by their time.
create index interactions_to_pay on interactions (pay_until)
  where paid_at is null and cancelled_at is null and pay_until is not null;
create index interactions_to_accept on interactions (paid_at)
  where accepted_at is null and cancelled_at is null and completed_at is null;
create index interactions_by_day on interactions (day_starts_at, id)
  where user_set_done_at is null and cancelled_at is null and completed_at is null;
create index interactions_disputed on interactions (disputed_at, id)
  where disputed_at is not null and cancelled_at is null and completed_at is null;

-- The stage follows from the states (contract/src/stages.ts, stageOf).
drop view plan_requests;
alter table interactions drop column stage;
alter table interactions add column stage text not null generated always as (
  case
    when cancelled_at is not null then 'cancelled'
    when completed_at is not null then 'completed'
    when disputed_at is not null then 'disputed'
    when user_set_done_at is not null then 'fulfilled'
    when accepted_at is not null and paid_at is not null then 'ready'
    when accepted_at is not null then 'accepted'
    when paid_at is not null then 'paid'
    else 'requested'
  end) stored;
create view plan_requests as
  select id, plan_id, client_id, stage, price_centavos, admin_set_done_at,
    released_centavos - released_centavos * platform_fee_basis_points / 10000 as earned_centavos
  from interactions;

drop trigger interactions_forward_only on interactions;
create trigger interactions_forward_only before update on interactions for each row when (
  (old.plan_id, old.client_id, old.creator_id, old.price_centavos, old.terms, old.platform_fee_basis_points)
    is distinct from
    (new.plan_id, new.client_id, new.creator_id, new.price_centavos, new.terms, new.platform_fee_basis_points)
  or (old.paid_at is not null and new.paid_at is distinct from old.paid_at)
  or (old.payment_id is not null and new.payment_id is distinct from old.payment_id)
  or (old.accepted_at is not null and new.accepted_at is distinct from old.accepted_at)
  or (old.user_set_done_at is not null and new.user_set_done_at is distinct from old.user_set_done_at)
  or (old.creator_met_at is not null and new.creator_met_at is distinct from old.creator_met_at)
  or (old.disputed_at is not null and new.disputed_at is distinct from old.disputed_at)
  or (old.completed_at is not null and new.completed_at is distinct from old.completed_at)
  or (old.cancelled_at is not null and new.cancelled_at is distinct from old.cancelled_at)
  or (old.cancel_reason is not null and new.cancel_reason is distinct from old.cancel_reason)
  or (old.paid_out_at is not null and new.paid_out_at is distinct from old.paid_out_at)
  or (old.refunded_at is not null and new.refunded_at is distinct from old.refunded_at)
  or old.released_centavos > new.released_centavos
  or old.refund_centavos > new.refund_centavos
  or (old.review_submitted and not new.review_submitted)
) execute function interactions_refuse_return();

-- Another day that one of the two proposes; the old one stands until the other agrees.
create table meeting_proposals (
  id text primary key,
  interaction_id text not null references interactions on delete cascade,
  proposed_by text not null references profiles,
  meets_at timestamptz(3) not null,
  meets_until timestamptz(3) not null check (meets_until > meets_at),
  place text not null,
  created_at timestamptz(3) not null default now(),
  -- Agreed, declined, withdrawn, or replaced by a later one.
  answer text check (answer in ('agreed', 'declined', 'replaced')),
  answered_at timestamptz(3),
  check ((answer is null) = (answered_at is null))
);
create unique index meeting_proposals_one_open on meeting_proposals (interaction_id) where answer is null;
create index meeting_proposals_by_member on meeting_proposals (proposed_by);

-- Each payment that the provider received for a request: nearly always one; a link that is open twice can be paid twice.
create table captured_payments (
  id text primary key,
  interaction_id text not null references interactions,
  amount_centavos bigint not null check (amount_centavos > 0),
  fee_centavos bigint not null default 0 check (fee_centavos >= 0),
  -- The method as the provider names it (`card`, `gcash`, …); null when it does not tell.
  method text,
  paid_at timestamptz(3) not null default now()
);
create index captured_payments_by_request on captured_payments (interaction_id);
insert into captured_payments (id, interaction_id, amount_centavos, paid_at)
  select coalesce(payment_id, 'link-' || id), id, price_centavos, paid_at
  from interactions where paid_at is not null and price_centavos > 0;

-- A payout is money out to a member: the creator's earnings, or a refund that cannot go back the way it came.
alter table payouts
  add column id text,
  add column purpose text not null default 'earnings' check (purpose in ('earnings', 'refund')),
  -- The number that the client named for the refund; null takes the creator's number for payouts.
  add column number text,
  -- How it left, when an admin sent it by hand (`PAYOUTS=manual`).
  add column manual_reference text,
  add column sent_by text references accounts on delete set null;
update payouts set id = interaction_id;
alter table payout_attempts drop constraint payout_attempts_interaction_id_fkey;
alter table payouts drop constraint payouts_pkey, alter column id set not null, add primary key (id);
create unique index payouts_one_per_purpose on payouts (interaction_id, purpose);
alter table payouts rename column creator_id to recipient_id;
alter table payout_attempts rename column interaction_id to payout_id;
alter table payout_attempts add foreign key (payout_id) references payouts;
create or replace function payout_attempts_one_open() returns trigger language plpgsql as $$
begin
  if exists (select from payout_attempts
    where payout_id = new.payout_id and attempt < new.attempt and refused_at is null) then
    raise exception 'the attempt before is not refused' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- A refund belongs to a payment. `transfer` when its method cannot give it back; then a payout of purpose `refund` carries it.
alter table refunds
  add column id text,
  add column payment_id text,
  add column way text not null default 'provider' check (way in ('provider', 'transfer'));
update refunds set id = refunds.interaction_id, payment_id = captured_payments.id
  from captured_payments where captured_payments.interaction_id = refunds.interaction_id;
alter table refunds drop constraint refunds_pkey, alter column id set not null, add primary key (id),
  alter column payment_id set not null, add foreign key (payment_id) references captured_payments;
create unique index refunds_one_per_payment on refunds (payment_id);
create index refunds_by_request on refunds (interaction_id);

-- Accounts: cash, fees, platform_fee, escrow:<request>, payable:<member>, paid_out:<member>, refunded:<request>,
-- disputed:<request>, charged_back, losses.
alter table ledger_transfers drop constraint ledger_transfers_kind_check;
alter table ledger_transfers add constraint ledger_transfers_kind_check check (kind in
  ('capture', 'release', 'payout', 'refund', 'chargeback', 'chargeback_won', 'chargeback_lost'));
