-- Signed deliveries of the provider are in one table: those that could not be read as they came, with the reason, and done with.
alter table provider_events
  alter column payload drop not null,
  -- Of one that could not be read, whose id is the SHA-256 of it in hex: a repeated delivery is the same row.
  add column body bytea,
  -- Which rule of the format it breaks, without its values.
  add column problem text,
  add check ((payload is null) <> (body is null)),
  add check (body is null or (problem is not null and processed_at is not null));
insert into provider_events (id, type, body, problem, received_at, processed_at)
  select id, '', body, problem, received_at, received_at from unread_deliveries;
drop table unread_deliveries;

-- Payments have the provider's ids. Those that were booked as `link-<request>`, before their link named them, get it where it is
-- known by now; the others when their link names them.
alter table refunds drop constraint refunds_payment_id_fkey,
  add foreign key (payment_id) references captured_payments on update cascade;
alter table chargebacks drop constraint chargebacks_payment_id_fkey,
  add foreign key (payment_id) references captured_payments on update cascade;
update captured_payments set id = payment_id from interactions
  where interactions.id = interaction_id and captured_payments.id = 'link-' || interaction_id and payment_id is not null;
