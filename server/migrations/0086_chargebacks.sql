-- A payment that the card issuer of its client takes back, or tries to. Once for each dispute of the provider.
create table chargebacks (
  -- The provider's.
  id text primary key,
  payment_id text not null references captured_payments,
  interaction_id text not null references interactions,
  amount_centavos bigint not null check (amount_centavos > 0),
  reason text not null default '',
  state text not null default 'open' check (state in ('open', 'won', 'lost')),
  -- What was still with the house when it was opened, and does not move until it is decided.
  from_escrow_centavos bigint not null default 0 check (from_escrow_centavos >= 0),
  from_payable_centavos bigint not null default 0 check (from_payable_centavos >= 0),
  -- What there is to show to the issuer: the dated steps, the terms as accepted, the payment.
  evidence jsonb not null,
  created_at timestamptz(3) not null default now(),
  decided_at timestamptz(3),
  check ((state = 'open') = (decided_at is null)),
  check (from_escrow_centavos + from_payable_centavos <= amount_centavos)
);
create index chargebacks_by_payment on chargebacks (payment_id);
create index chargebacks_by_request on chargebacks (interaction_id);
create index chargebacks_newest on chargebacks (created_at desc, id desc);
create index chargebacks_open on chargebacks (created_at) where state = 'open';

-- The client has the money back through the card issuer: nothing of it is paid out or refunded any more.
alter table interactions add column charged_back_at timestamptz(3);
