-- A nightly check compares what is open or moved since the last one, and once a month everything.
alter table ledger_checks
  add column is_full boolean not null default true,
  -- What the provider's wallet holds beyond the ledger lies between these; null of a wallet that was not read.
  add column wallet_low_centavos bigint,
  add column wallet_high_centavos bigint;
create index ledger_transfers_by_time on ledger_transfers using brin (created_at);
