-- A dispute can be about no payment of Tara. One that had a payment before keeps how often it was assigned.
alter table unassigned_disputes add column is_foreign boolean not null default false;
alter table unassigned_disputes add column assignments integer not null default 0;
-- When the card issuer opened it; of those that were recorded before, when they were.
alter table chargebacks add column disputed_at timestamptz not null default now();
update chargebacks set disputed_at = created_at;
