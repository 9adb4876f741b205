-- The attempt of a refund whose order the provider may have. Until its answer was stored, a chargeback could reduce a
-- refund that was on its way already.
alter table refunds add column ordered_attempt integer;
update refunds set ordered_attempt = attempt where state = 'sending' and way = 'provider' and last_error is null;
