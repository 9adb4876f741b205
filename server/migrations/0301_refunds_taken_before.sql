-- A refund that was on its way when its payment was disputed, and was refused after a card issuer had taken all of it, was carried over as
-- owed, with nothing left to send. It ends, as one that is refused today.
update disbursements set state = 'void', problem = null, updated_at = now()
  where state = 'owed' and id in (select id from disbursement_amounts where amount_centavos = 0);
