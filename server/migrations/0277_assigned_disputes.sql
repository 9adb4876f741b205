-- Whether an admin said which payment a dispute is about: nothing is concluded from that payment at the provider.
alter table chargebacks add column is_assigned boolean not null default false;

-- As before, with what card issuers took back of a payment that was booked without its id.
create or replace view interaction_money as
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
      and number is null) as awaits_number,
    -- Of the request's own payment: a second one goes back whatever happens to it.
    (select coalesce(sum(chargebacks.amount_centavos), 0)::bigint from chargebacks
      where chargebacks.interaction_id = interactions.id and chargebacks.state = 'lost'
        and chargebacks.payment_id = coalesce(interactions.payment_id, chargebacks.payment_id)) as taken_back_centavos
  from interactions
    join profiles on profiles.id = interactions.creator_id
    left join payouts earnings on earnings.interaction_id = interactions.id and earnings.purpose = 'earnings'
    left join refunds on refunds.id = interactions.id
    left join payouts back on back.id = interactions.id || '-refund';
