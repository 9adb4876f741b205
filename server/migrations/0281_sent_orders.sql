-- When the present order of a payout or refund was first sent. It is repeated under its key for 20 hours; after 24, once the provider
-- has forgotten the key, what it does not have never arrived.
alter table payout_attempts add column sent_at timestamptz(3) not null default now();
alter table refunds add column ordered_at timestamptz(3);
-- An earlier version repeated an order without end, so an old one may be on its way at this moment: it counts as 20 hours old.
update payout_attempts set sent_at = greatest(created_at, now() - interval '20 hours');
update refunds set ordered_at = greatest(created_at, now() - interval '20 hours') where ordered_attempt is not null;
-- A node of the version before, which serves beside this one for a while, does not say when it ordered.
create function refunds_ordered_now() returns trigger language plpgsql as $$
begin
  if new.ordered_attempt is distinct from old.ordered_attempt and new.ordered_at is not distinct from old.ordered_at then
    new.ordered_at := now();
  end if;
  return new;
end $$;
create trigger refunds_ordered_now before update of ordered_attempt on refunds
  for each row execute function refunds_ordered_now();
