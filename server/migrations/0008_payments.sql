-- Double-entry ledger in whole centavos, append-only. An account is a name such as `cash`, `fees`,
-- `escrow:<interaction>` or `payable:<profile>`; its balance is the sum of its entries and nothing else.
create table ledger_transfers (
  id bigint generated always as identity primary key,
  -- What happened, once: `capture:<interaction>`, `release:<interaction>`, `payout:<interaction>`, `refund:<interaction>`.
  key text not null unique,
  kind text not null check (kind in ('capture', 'release', 'payout', 'refund')),
  interaction_id text not null references interactions,
  created_at timestamptz(3) not null default now()
);
create index ledger_transfers_by_interaction on ledger_transfers (interaction_id);

create table ledger_entries (
  transfer_id bigint not null references ledger_transfers,
  account text not null,
  amount bigint not null check (amount <> 0),
  primary key (transfer_id, account)
);
create index ledger_entries_by_account on ledger_entries (account);

create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only' using errcode = 'restrict_violation';
end $$;
create trigger ledger_transfers_append_only before update or delete or truncate on ledger_transfers
  for each statement execute function ledger_refuse_change();
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function ledger_refuse_change();

-- At commit every transfer has entries and they sum to zero; entries cannot join an older transfer unnoticed,
-- because each new entry checks its whole transfer again.
create function ledger_check_zero_sum() returns trigger language plpgsql as $$
declare
  of_transfer bigint;
  total bigint;
  entries integer;
begin
  if tg_table_name = 'ledger_transfers' then of_transfer := new.id; else of_transfer := new.transfer_id; end if;
  select coalesce(sum(amount), 0), count(*) into total, entries from ledger_entries where transfer_id = of_transfer;
  if total <> 0 or entries < 2 then
    raise exception 'transfer % does not sum to zero', of_transfer
      using errcode = 'check_violation', constraint = 'ledger_zero_sum';
  end if;
  return null;
end $$;
create constraint trigger ledger_transfers_zero_sum after insert on ledger_transfers
  deferrable initially deferred for each row execute function ledger_check_zero_sum();
create constraint trigger ledger_entries_zero_sum after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_check_zero_sum();

-- The provider's deliveries as they came, each once.
create table provider_events (
  id text primary key,
  type text not null,
  payload jsonb not null,
  received_at timestamptz(3) not null default now(),
  processed_at timestamptz(3)
);
create index provider_events_open on provider_events (received_at) where processed_at is null;

-- Money out to the creator: one row, hence one payout, per request.
create table payouts (
  interaction_id text primary key references interactions,
  creator_id text not null references profiles,
  amount_centavos bigint not null check (amount_centavos > 0),
  -- `owed`: waits for its job or for the creator's phone number; forward only.
  state text not null default 'owed' check (state in ('owed', 'sending', 'paid')),
  -- The one idempotency key under which it is sent; a further one only once this one is known to have moved nothing.
  attempt integer not null default 1,
  transfer_id text,
  last_error text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  paid_at timestamptz(3)
);
create index payouts_open on payouts (updated_at) where state <> 'paid';

-- Money back to the client: a payment that arrived after its request was cancelled.
create table refunds (
  interaction_id text primary key references interactions,
  amount_centavos bigint not null check (amount_centavos > 0),
  state text not null default 'owed' check (state in ('owed', 'sending', 'refunded')),
  refund_id text,
  last_error text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  refunded_at timestamptz(3)
);
create index refunds_open on refunds (updated_at) where state <> 'refunded';

-- Our one endpoint at the provider, with the secret that signs its deliveries.
create table provider_webhooks (
  url text primary key,
  webhook_id text not null,
  secret text not null,
  created_at timestamptz(3) not null default now()
);

-- Money on its way never turns back: what was sent is not owed again, what has arrived stays arrived.
create function money_refuse_return() returns trigger language plpgsql as $$
begin
  raise exception 'a payout or refund never moves backwards' using errcode = 'restrict_violation';
end $$;
create trigger payouts_forward_only before update on payouts for each row when (
  old.amount_centavos <> new.amount_centavos or old.attempt > new.attempt
  or array_position(array['owed', 'sending', 'paid'], new.state)
    < array_position(array['owed', 'sending', 'paid'], old.state)
) execute function money_refuse_return();
create trigger refunds_forward_only before update on refunds for each row when (
  old.amount_centavos <> new.amount_centavos
  or array_position(array['owed', 'sending', 'refunded'], new.state)
    < array_position(array['owed', 'sending', 'refunded'], old.state)
) execute function money_refuse_return();
