-- An account of the ledger is its type and its owner, a request or a member, instead of one name such as `escrow:<request>`.

-- Money is booked before it is read here, or after: a node of the version before, which would find nothing held or owed, cannot book.
lock table ledger_transfers, ledger_entries in access exclusive mode;
drop trigger ledger_transfers_name_payment on ledger_transfers;
drop function ledger_transfers_name_payment;

-- It reads accounts, which no view may while they change; it is whole again below.
create or replace view disbursement_amounts as
  select id, interaction_id, purpose, 0::bigint as owed_centavos, 0::bigint as amount_centavos from disbursements;

drop index ledger_entries_by_account;
alter table ledger_entries add column owner text not null default '';
-- Written anew at once, and not updated: the ledger is append-only.
alter table ledger_entries
  drop constraint ledger_entries_pkey,
  alter column account type text using split_part(account, ':', 1),
  alter column owner type text using split_part(account, ':', 2),
  alter column owner drop default,
  add primary key (transfer_id, account, owner),
  -- `disputed` is of before migration 0275, which left nothing in it.
  add constraint ledger_entries_account_check check (case owner
    when '' then account in ('cash', 'fees', 'tax_withheld', 'platform_fee', 'at_risk', 'losses', 'charged_back', 'by_hand')
    else account in ('escrow', 'held_by_provider', 'refunded', 'payable', 'paid_out', 'disputed') end);
create index ledger_entries_by_account on ledger_entries (account, owner);

create or replace view disbursement_amounts as
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
        and account = case purpose when 'payout' then 'payable' else 'escrow' end
    ) as owed on true
    left join lateral (
      select coalesce(sum(case purpose when 'payout' then from_payable_centavos else from_escrow_centavos end), 0) as centavos
      from chargebacks where disbursements.state = 'owed' and payment_id = disbursements.payment_id and chargebacks.state = 'open'
    ) as frozen on true;
