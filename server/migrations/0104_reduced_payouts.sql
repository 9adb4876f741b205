-- A lost chargeback takes a part, or all, of a payout or refund that was not sent. Until now an amount never changed, so
-- such a chargeback could not be booked.
drop trigger payouts_forward_only on payouts;
create trigger payouts_forward_only before update on payouts for each row when (
  new.amount_centavos > old.amount_centavos or old.attempt > new.attempt
  or (old.state = 'paid' and new.amount_centavos <> old.amount_centavos)
  or array_position(array['owed', 'sending', 'paid'], new.state)
    < array_position(array['owed', 'sending', 'paid'], old.state)
) execute function money_refuse_return();
drop trigger refunds_forward_only on refunds;
create trigger refunds_forward_only before update on refunds for each row when (
  new.amount_centavos > old.amount_centavos
  or (old.state = 'refunded' and new.amount_centavos <> old.amount_centavos)
  or array_position(array['owed', 'sending', 'refunded'], new.state)
    < array_position(array['owed', 'sending', 'refunded'], old.state)
) execute function money_refuse_return();

-- Refused attempts leave with their payout; one that may be under way stays, and so does its payout.
alter table payout_attempts drop constraint payout_attempts_payout_id_fkey,
  add foreign key (payout_id) references payouts on delete cascade;
drop trigger payout_attempts_stay on payout_attempts;
create trigger payout_attempts_stay before truncate on payout_attempts
  for each statement execute function payout_attempts_refuse_change();
create trigger payout_attempts_open_stay before delete on payout_attempts for each row when (old.refused_at is null)
  execute function payout_attempts_refuse_change();

-- What the card issuer took before the payout was earned by nobody.
create or replace view plan_requests as
  select id, plan_id, client_id, stage, price_centavos, admin_set_done_at,
    case when charged_back_at is null
      then released_centavos - released_centavos * platform_fee_basis_points / 10000
      else coalesce((select amount_centavos from payouts
        where payouts.interaction_id = interactions.id and purpose = 'earnings'), 0)
    end as earned_centavos
  from interactions;
