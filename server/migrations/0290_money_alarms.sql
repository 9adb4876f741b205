-- What is wrong with money now, and since when: admins were notified of each when it began.
create table money_alarms (
  kind text not null check (kind in
    ('ledgerDiffers', 'chargebackOpened', 'disbursementStuck', 'balanceShort', 'webhookDisabled', 'proofOverdue')),
  -- What it is about, such as a chargeback; empty where there is one of the kind at most.
  record_id text not null default '',
  amount_centavos bigint,
  -- The last day on which something can be done, in the Philippines.
  due_on date,
  since timestamptz(3) not null default now(),
  primary key (kind, record_id)
);

-- The last day on which the provider takes evidence: the fifth working day after the opening.
alter table chargebacks add column due_on date;
update chargebacks set due_on = (
  select opened_on + n from (select (created_at at time zone 'Asia/Manila')::date as opened_on) as opening,
    generate_series(1, 10) as n
  where extract(isodow from opened_on + n) < 6 order by n offset 4 limit 1);
alter table chargebacks alter column due_on set not null;
-- A node of the version before, which serves beside this one for a while, does not name it.
alter table chargebacks alter column due_on set default ((now() at time zone 'Asia/Manila')::date + 7);
