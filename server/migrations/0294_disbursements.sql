-- One model of money that leaves Tara: what is to reach whom, and each attempt to send it, whichever way it takes. It replaces payouts,
-- refunds and what was sent of each.

-- A node of the version before, which serves beside this one for a while, may be about to send: what it stored before it sends is read below,
-- and nothing more of it is stored. Payouts before the ledger, as it writes them.
lock table payouts, payout_attempts, refunds, ledger_transfers in access exclusive mode;

-- The captured payment that a movement is about: what is held for it and owed of it is the sum of its movements. Null where money
-- was lost by hand.
alter table ledger_transfers add column payment_id text references captured_payments on update cascade;
-- The payment that each request was paid with; the only one where it was booked without an id.
create temporary table own_payments on commit drop as
  select distinct on (interactions.id) interactions.id as interaction_id, captured_payments.id as payment_id
  from interactions join captured_payments on captured_payments.interaction_id = interactions.id
  order by interactions.id, (captured_payments.id = interactions.payment_id) desc nulls last,
    captured_payments.paid_at, captured_payments.id;
drop trigger ledger_transfers_append_only on ledger_transfers;
update ledger_transfers set payment_id = coalesce(
    case kind
      when 'capture' then (select id from captured_payments where id = record and captured_payments.interaction_id = named.interaction_id)
      when 'refund' then (select refunds.payment_id from refunds where refunds.id = record)
      else (select chargebacks.payment_id from chargebacks
        where record in (chargebacks.id, chargebacks.id || ':' || assignment) and chargebacks.interaction_id = named.interaction_id)
    end, own_payments.payment_id)
  from (select id as transfer_id, interaction_id, substr(key, length(kind) + 2) as record from ledger_transfers) as named
    join own_payments using (interaction_id)
  where transfer_id = ledger_transfers.id and kind <> 'manual_loss';
create index ledger_transfers_by_payment on ledger_transfers (payment_id);
create trigger ledger_transfers_append_only before delete or truncate on ledger_transfers
  for each statement execute function ledger_refuse_change();
-- But for a payment that gets its name.
create trigger ledger_transfers_frozen before update on ledger_transfers for each row when (
  (old.id, old.key, old.kind, old.interaction_id, old.created_at) is distinct from (new.id, new.key, new.kind, new.interaction_id, new.created_at)
  or coalesce(old.payment_id, '') not like 'link-%'
) execute function ledger_refuse_change();
-- A node of the version before still books payments, and does not name them.
create function ledger_transfers_name_payment() returns trigger language plpgsql as $$
begin
  new.payment_id := (select id from captured_payments
    where id = substr(new.key, length(new.kind) + 2) and interaction_id = new.interaction_id);
  return new;
end $$;
create trigger ledger_transfers_name_payment before insert on ledger_transfers for each row
  when (new.payment_id is null and new.kind = 'capture') execute function ledger_transfers_name_payment();

create table disbursements (
  -- The reference number of its transfers at the provider. Of those of before it is the old payout's, or the refund's with `-refund`.
  id text primary key,
  interaction_id text not null references interactions,
  -- What it passes on to the creator, or gives back to the client.
  payment_id text not null references captured_payments on update cascade,
  purpose text not null check (purpose in ('payout', 'refund')),
  recipient_id text not null references profiles,
  -- `provider`: back the way that the payment came.
  way text not null check (way in ('provider', 'transfer', 'hand')),
  -- Of a refund by transfer: where the client wants it; null while that is not known.
  number text,
  -- As it was decided. What is sent is what the ledger owes then, which is in the attempt.
  amount_centavos bigint not null check (amount_centavos > 0),
  -- `void`: a card issuer took all of it before it was sent.
  state text not null default 'owed' check (state in ('owed', 'sending', 'arrived', 'void')),
  problem text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  arrived_at timestamptz(3),
  unique (payment_id, purpose),
  check (purpose = 'refund' or way <> 'provider'),
  check ((state = 'arrived') = (arrived_at is not null))
);

-- What was given to the provider, or sent by an admin: stored before it is sent, so that a retry sends the very same under the same key.
create table attempts (
  disbursement_id text not null references disbursements,
  number integer not null check (number > 0),
  way text not null check (way in ('provider', 'transfer', 'hand')),
  -- Under which the provider does it once.
  key text unique,
  amount_centavos bigint not null check (amount_centavos > 0),
  destination jsonb,
  source jsonb,
  -- `sent`: it may be under way. `lost`: the provider never had it.
  state text not null default 'sent' check (state in ('sent', 'refused', 'lost', 'arrived')),
  -- The provider's id, or the number of a transfer by hand.
  reference text,
  -- Why it was refused.
  problem text,
  sent_by text references accounts on delete set null,
  created_at timestamptz(3) not null default now(),
  -- When it was first sent, at the earliest.
  sent_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  primary key (disbursement_id, number),
  check ((state = 'sent') = (ended_at is null)),
  check ((way = 'hand') = (key is null))
);

-- Earnings.
insert into disbursements (id, interaction_id, payment_id, purpose, recipient_id, way, amount_centavos, state, problem, created_at,
    updated_at, arrived_at)
  select payouts.id, interaction_id, own_payments.payment_id, 'payout', recipient_id,
    case when manual_reference is null then 'transfer' else 'hand' end,
    greatest(amount_centavos, released_centavos - released_centavos * platform_fee_basis_points / 10000),
    case when state = 'paid' then 'arrived'
      when transfer_id is not null or exists (select from payout_attempts
        where payout_id = payouts.id and payout_attempts.attempt = payouts.attempt and refused_at is null) then 'sending'
      else 'owed' end,
    case when state <> 'paid' then last_error end, payouts.created_at, payouts.updated_at,
    case when state = 'paid' then coalesce(payouts.paid_at, payouts.updated_at) end
  from payouts join own_payments using (interaction_id) join interactions on interactions.id = interaction_id
  where purpose = 'earnings';

-- Refunds, each with the payout that carries it, if one does.
insert into disbursements (id, interaction_id, payment_id, purpose, recipient_id, way, number, amount_centavos, state, problem,
    created_at, updated_at, arrived_at)
  select refunds.id || '-refund', refunds.interaction_id, refunds.payment_id, 'refund', client_id,
    case when carrier.manual_reference is not null then 'hand' else way end, carrier.number,
    greatest(refunds.amount_centavos, case when refunds.id = refunds.interaction_id then refund_centavos else paid.amount_centavos end),
    case when refunds.state = 'refunded' then 'arrived'
      when refunds.refund_id is not null or (way = 'provider' and ordered_attempt = refunds.attempt) or transfer_id is not null
        or exists (select from payout_attempts
          where payout_id = carrier.id and payout_attempts.attempt = carrier.attempt and refused_at is null) then 'sending'
      else 'owed' end,
    case when refunds.state = 'refunded' then null when way = 'provider' then refunds.last_error else carrier.last_error end,
    refunds.created_at, greatest(refunds.updated_at, carrier.updated_at),
    case when refunds.state = 'refunded' then coalesce(refunds.refunded_at, refunds.updated_at) end
  from refunds join interactions on interactions.id = refunds.interaction_id join captured_payments paid on paid.id = refunds.payment_id
    left join payouts carrier on carrier.id = refunds.id || '-refund';

-- What a card issuer took before it was sent had been deleted.
insert into disbursements (id, interaction_id, payment_id, purpose, recipient_id, way, amount_centavos, state, created_at, updated_at)
  select id, interaction_id, payment_id, purpose, recipient_id, case purpose when 'payout' then 'transfer' else 'provider' end,
    centavos, 'void', at, at
  from (
    select interaction_id as id, interaction_id, own_payments.payment_id, 'payout' as purpose, creator_id as recipient_id,
      released_centavos - released_centavos * platform_fee_basis_points / 10000 as centavos, coalesce(completed_at, updated_at) as at
    from own_payments join interactions on interactions.id = interaction_id
    union all
    select interaction_id || '-refund', interaction_id, own_payments.payment_id, 'refund', client_id, refund_centavos,
      coalesce(cancelled_at, completed_at, updated_at)
    from own_payments join interactions on interactions.id = interaction_id
    union all
    select captured_payments.id || '-refund', interaction_id, captured_payments.id, 'refund', client_id, amount_centavos,
      captured_payments.paid_at
    from captured_payments join interactions on interactions.id = interaction_id
    where captured_payments.id not in (select payment_id from own_payments)) as decided
  where centavos > 0
  on conflict do nothing;

-- Attempts at a refund the way that the payment came: those before the last one were refused.
insert into attempts (disbursement_id, number, way, key, amount_centavos, state, reference, created_at, sent_at, ended_at)
  select id || '-refund', nth, 'provider', 'refund-' || id || '-' || nth, amount_centavos,
    case when nth < attempt then 'refused' when state = 'refunded' then 'arrived' else 'sent' end,
    case when nth = attempt then refund_id end, created_at,
    case when nth < attempt then created_at else coalesce(ordered_at, greatest(created_at, now() - interval '20 hours')) end,
    case when nth < attempt then updated_at when state = 'refunded' then coalesce(refunded_at, updated_at) end
  from refunds cross join lateral generate_series(1, case when way = 'provider'
    and (state = 'refunded' or refund_id is not null or ordered_attempt = attempt) then attempt else attempt - 1 end) as nth;

-- Attempts at transfers, after those of a refund. One that was sent before attempts were stored has no destination.
insert into attempts (disbursement_id, number, way, key, amount_centavos, destination, source, state, reference, problem, sent_by,
    created_at, sent_at, ended_at)
  select payouts.id, nth + coalesce(refunds.attempt - 1, 0), case when is_by_hand then 'hand' else 'transfer' end,
    case when not is_by_hand
      then coalesce(idempotency_key, payouts.id || case when payouts.attempt = 1 then '' else ':' || payouts.attempt end) end,
    payouts.amount_centavos, destination, source,
    case when refusal = 'It never arrived at the provider, so it is sent again.' then 'lost'
      when refused_at is not null or nth < payouts.attempt then 'refused'
      when payouts.state = 'paid' then 'arrived' else 'sent' end,
    case when nth = payouts.attempt then coalesce(manual_reference, transfer_id) end, refusal,
    case when is_by_hand then sent_by end,
    coalesce(sent.created_at, payouts.paid_at, payouts.created_at), coalesce(sent.sent_at, payouts.paid_at, payouts.created_at),
    case when refused_at is not null or nth < payouts.attempt then coalesce(refused_at, payouts.updated_at)
      when payouts.state = 'paid' then coalesce(payouts.paid_at, payouts.updated_at) end
  from payouts
    cross join lateral (
      select attempt as nth from payout_attempts where payout_id = payouts.id
      union select payouts.attempt where payouts.state = 'paid' or transfer_id is not null) as numbers
    left join payout_attempts sent on sent.payout_id = payouts.id and sent.attempt = nth
    left join refunds on payouts.id = refunds.id || '-refund'
    cross join lateral (select manual_reference is not null and nth = payouts.attempt as is_by_hand) as by_hand;

alter table manual_transfers rename column payout_id to disbursement_id;
alter table manual_transfers add foreign key (disbursement_id) references disbursements not valid;
create index manual_transfers_by_disbursement on manual_transfers (disbursement_id);
drop index manual_transfers_refused_by_payout;

-- Alarms name a disbursement by its purpose and id, so that nobody is notified again.
update money_alarms set record_id = case when record_id like 'payout:%-refund' then 'refund:' || substr(record_id, 8) else record_id || '-refund' end
  where kind = 'disbursementStuck' and (record_id like 'payout:%-refund' or record_id like 'refund:%');

drop view interaction_money;
drop view plan_requests;
drop table payout_attempts;
drop table payouts;
drop table refunds;
drop function payout_attempts_refuse_change, payout_attempts_one_open, refunds_ordered_now;

create index disbursements_by_request on disbursements (interaction_id);
create index disbursements_by_recipient on disbursements (recipient_id);
-- What is looked after by the time of its last attempt, and listed by its age.
create index disbursements_open on disbursements (updated_at) where state in ('owed', 'sending');
create index disbursements_by_age on disbursements (created_at, id) where state in ('owed', 'sending');
create unique index attempts_one_open on attempts (disbursement_id) where state = 'sent';
create index attempts_by_reference on attempts (reference) where reference is not null;
create index attempts_by_sender on attempts (sent_by) where sent_by is not null;

-- What was decided stays, and what arrived has arrived. What was void is taken up again when a transfer of it comes to light.
create trigger disbursements_forward_only before update on disbursements for each row when (
  (old.interaction_id, old.purpose, old.recipient_id, old.amount_centavos)
    is distinct from (new.interaction_id, new.purpose, new.recipient_id, new.amount_centavos)
  or (old.state = 'arrived' and new.state <> 'arrived')
) execute function money_refuse_return();

create function attempts_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'an attempt never changes' using errcode = 'restrict_violation';
end $$;
-- Whom it was sent to goes with the member.
create trigger attempts_frozen before update on attempts for each row when (
  (old.disbursement_id, old.number, old.way, old.key, old.amount_centavos, old.source, old.created_at)
    is distinct from (new.disbursement_id, new.number, new.way, new.key, new.amount_centavos, new.source, new.created_at)
  or (old.destination is distinct from new.destination
    and new.destination is distinct from jsonb_build_object('number', '', 'name', 'Deleted member', 'bic', old.destination -> 'bic'))
  or (old.state = 'arrived' and new.state <> 'arrived')
) execute function attempts_refuse_change();
create trigger attempts_stay before delete or truncate on attempts for each statement execute function attempts_refuse_change();

-- What each comes to: `owed_centavos` is what the ledger owes of it and nobody was sent yet; `amount_centavos` was sent, or is owed with
-- what a card issuer disputes of it.
create view disbursement_amounts as
  select disbursements.id, disbursements.interaction_id, purpose,
    coalesce(owed.centavos, 0) as owed_centavos,
    coalesce(sent.amount_centavos, owed.centavos + frozen.centavos, 0)::bigint as amount_centavos
  from disbursements
    left join attempts sent on sent.disbursement_id = disbursements.id and sent.state in ('sent', 'arrived')
      and disbursements.state in ('sending', 'arrived')
    left join lateral (
      select least(disbursements.amount_centavos, greatest(0, coalesce(-sum(amount), 0)))::bigint as centavos
      from ledger_transfers join ledger_entries on transfer_id = ledger_transfers.id
      where disbursements.state = 'owed' and payment_id = disbursements.payment_id
        and account = case purpose when 'payout' then 'payable:' || recipient_id else 'escrow:' || disbursements.interaction_id end
    ) as owed on true
    left join lateral (
      select coalesce(sum(case purpose when 'payout' then from_payable_centavos else from_escrow_centavos end), 0) as centavos
      from chargebacks where disbursements.state = 'owed' and payment_id = disbursements.payment_id and chargebacks.state = 'open'
    ) as frozen on true;

-- How far the payout and the refund of each request are, for the feature of requests, on which payments build: what moved, or will.
create view interaction_money as
  select interactions.id as interaction_id,
    profiles.phone_number as creator_number,
    paid.amount_centavos as payout_centavos,
    payout.state as payout_state,
    payout.problem as payout_problem,
    back.amount_centavos as refund_centavos,
    -- For people a transfer by hand is a transfer.
    case refund.way when 'hand' then 'transfer' else refund.way end as refund_way,
    refund.state as refund_state,
    refund.problem as refund_problem,
    -- A transfer of a refund that has nowhere to go: no number was named, or the named one was refused.
    exists (select from disbursements where disbursements.interaction_id = interactions.id and purpose = 'refund' and way = 'transfer'
      and state in ('owed', 'sending') and number is null) as awaits_number,
    -- Of the request's own payment: a second one goes back whatever happens to it.
    (select coalesce(sum(chargebacks.amount_centavos), 0)::bigint from chargebacks
      where chargebacks.interaction_id = interactions.id and chargebacks.state = 'lost'
        and chargebacks.payment_id = coalesce(interactions.payment_id, chargebacks.payment_id)) as taken_back_centavos
  from interactions
    join profiles on profiles.id = interactions.creator_id
    left join disbursements payout on payout.interaction_id = interactions.id and payout.purpose = 'payout' and payout.state <> 'void'
    left join disbursement_amounts paid on paid.id = payout.id
    left join disbursements refund on refund.interaction_id = interactions.id and refund.purpose = 'refund' and refund.state <> 'void'
      and refund.payment_id = coalesce(interactions.payment_id, refund.payment_id)
    left join disbursement_amounts back on back.id = refund.id;

-- What a creator earned of each request: what was released less the fee, and once a card issuer took of it, what is left.
create view plan_requests as
  select id, plan_id, client_id, stage, price_centavos, admin_set_done_at,
    case when charged_back_at is null
      then released_centavos - released_centavos * platform_fee_basis_points / 10000
      else coalesce((select amount_centavos from disbursement_amounts
        where interaction_id = interactions.id and purpose = 'payout'), 0)
    end as earned_centavos
  from interactions;

-- Jobs of the tables of before; the reconciler gives each disbursement that is open its own.
do $$ begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    delete from graphile_worker._private_jobs jobs using graphile_worker._private_tasks tasks
      where tasks.id = task_id and identifier in ('payments.payout', 'payments.refund');
  end if;
end $$;
