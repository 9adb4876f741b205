-- A dispute that waits again waits for every payment that it waited for before it was assigned.
alter table chargebacks add column possible_payment_ids jsonb not null default '[]';
