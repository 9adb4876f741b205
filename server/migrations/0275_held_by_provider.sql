-- The provider holds a disputed amount and its fee from the opening of the dispute. They are booked then: from what is held for the
-- request, from what is owed to its creator, and the rest from Tara's own (`at_risk`).
alter table chargebacks
  -- The fee that was booked at the opening; null of one that was opened before.
  add column fee_centavos bigint check (fee_centavos >= 0);
alter table ledger_transfers drop constraint ledger_transfers_kind_check, add constraint ledger_transfers_kind_check check (kind in
  ('capture', 'release', 'payout', 'refund', 'chargeback', 'chargeback_won', 'chargeback_lost', 'chargeback_corrected',
    'chargeback_held'));

-- Open ones are carried over: what was frozen for the request is held by the provider, beside the part of Tara.
with moved as (
  insert into ledger_transfers (key, kind, interaction_id)
    select 'chargeback_held:' || id, 'chargeback_held', interaction_id from chargebacks where state = 'open'
    returning id, substr(key, 17) as chargeback_id)
insert into ledger_entries (transfer_id, account, amount)
  select moved.id, entry.account, entry.amount
  from moved join chargebacks on chargebacks.id = chargeback_id
    cross join lateral (values
      ('disputed:' || interaction_id, from_escrow_centavos + from_payable_centavos),
      ('at_risk', amount_centavos - from_escrow_centavos - from_payable_centavos),
      ('held_by_provider:' || interaction_id, -amount_centavos)) as entry (account, amount)
  where entry.amount <> 0;
