-- Times are kept in whole milliseconds, as everywhere (the code reads no finer one).
alter table chargebacks alter column disputed_at type timestamptz(3);
