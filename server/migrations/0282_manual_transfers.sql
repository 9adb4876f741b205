-- What admins sent by hand: each reference belongs to one payout. One that was refused for recording may be of money that left.
create table manual_transfers (
  reference text primary key,
  payout_id text not null,
  interaction_id text not null references interactions,
  amount_centavos bigint not null check (amount_centavos > 0),
  state text not null check (state in ('booked', 'refused', 'lost')),
  -- Why it was refused.
  problem text,
  created_at timestamptz(3) not null default now(),
  check (state = 'booked' or problem is not null)
);
create index manual_transfers_by_request on manual_transfers (interaction_id);
create index manual_transfers_refused on manual_transfers (created_at, reference) where state = 'refused';
-- Of two payouts with one reference, which nothing hindered until now, the first has it.
insert into manual_transfers (reference, payout_id, interaction_id, amount_centavos, state, created_at)
  select manual_reference, id, interaction_id, amount_centavos, 'booked', coalesce(paid_at, updated_at) from payouts
  where manual_reference is not null order by paid_at, id
  on conflict do nothing;
alter table ledger_transfers drop constraint ledger_transfers_kind_check, add constraint ledger_transfers_kind_check check (kind in
  ('capture', 'release', 'payout', 'refund', 'chargeback', 'chargeback_won', 'chargeback_lost', 'chargeback_corrected',
    'chargeback_held', 'manual_loss'));
