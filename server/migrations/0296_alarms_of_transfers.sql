-- A transfer by hand that could not be recorded is told to the admins, too.
alter table money_alarms drop constraint money_alarms_kind_check, add constraint money_alarms_kind_check check (kind in
  ('ledgerDiffers', 'chargebackOpened', 'disbursementStuck', 'transferRefused', 'balanceShort', 'webhookDisabled', 'proofOverdue'));
