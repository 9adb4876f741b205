-- Disputes of card issuers that do not name their payment, and that no single payment fits: an admin assigns them, and the
-- row goes.
create table unassigned_disputes (
  -- The provider's.
  id text primary key,
  amount_centavos bigint not null check (amount_centavos > 0),
  reason text not null default '',
  state text not null default 'open' check (state in ('open', 'won', 'lost')),
  -- When the card issuer opened it.
  disputed_at timestamptz(3) not null,
  -- Captured payments that the provider showed as disputed, and that it may be about.
  payment_ids jsonb not null default '[]',
  created_at timestamptz(3) not null default now()
);
create index unassigned_disputes_waiting on unassigned_disputes (created_at, id) where state <> 'won';

-- An admin may correct the payment of an open one: its movements are booked once for each.
alter table chargebacks add column assignment integer not null default 1 check (assignment > 0);
alter table ledger_transfers drop constraint ledger_transfers_kind_check, add constraint ledger_transfers_kind_check check (kind in
  ('capture', 'release', 'payout', 'refund', 'chargeback', 'chargeback_won', 'chargeback_lost', 'chargeback_corrected'));
