-- Whether money may have left by hand for a payout is asked before each sending.
create index manual_transfers_refused_by_payout on manual_transfers (payout_id) where state = 'refused';
