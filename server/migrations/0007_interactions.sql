-- A request of a client for a creator's plan. A state is the time since when it holds; none is ever taken back.
create table interactions (
  id text primary key,
  plan_id text not null references plans,
  plan_title text not null,
  client_id text not null references profiles,
  creator_id text not null references profiles,
  price_centavos bigint not null check (price_centavos >= 0),
  -- The provider's payment link; null for a free plan and until the job made it.
  link_id text unique,
  reference_number text unique,
  checkout_url text,
  webhook_id text,
  payment_id text unique,
  -- When the provider was last asked whether the link is paid.
  link_checked_at timestamptz(3),
  paid_at timestamptz(3),
  accepted_at timestamptz(3),
  user_set_done_at timestamptz(3),
  admin_set_done_at timestamptz(3),
  completed_at timestamptz(3),
  confirmed_by text references accounts,
  cancelled_at timestamptz(3),
  cancelled_by text references profiles,
  -- Set by the payments when the creator's money left, or the client's came back.
  paid_out_at timestamptz(3),
  refunded_at timestamptz(3),
  card_down boolean not null default false,
  review_submitted boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (client_id <> creator_id),
  check (user_set_done_at is null or (paid_at is not null and accepted_at is not null)),
  check (admin_set_done_at is null or user_set_done_at is not null),
  check ((admin_set_done_at is null) = (completed_at is null)),
  check (completed_at is null or cancelled_at is null),
  check (not review_submitted or admin_set_done_at is not null)
);
-- One open request per member and plan (decisions: a new one after the earlier is over).
create unique index interactions_one_open on interactions (plan_id, client_id)
  where completed_at is null and cancelled_at is null;
create index interactions_by_creator on interactions (creator_id, updated_at desc, id desc);
create index interactions_by_client on interactions (client_id, updated_at desc, id desc);
create index interactions_by_plan on interactions (plan_id) where admin_set_done_at is not null;
create index interactions_awaiting on interactions (user_set_done_at, id)
  where user_set_done_at is not null and completed_at is null;
create index interactions_unpaid on interactions (created_at) where paid_at is null;

-- No state moves backwards, and what was agreed stays as it was, whoever writes.
create function interactions_refuse_return() returns trigger language plpgsql as $$
begin
  raise exception 'a state of a request is never taken back' using errcode = 'restrict_violation';
end $$;
create trigger interactions_forward_only before update on interactions for each row when (
  (old.plan_id, old.client_id, old.creator_id, old.price_centavos)
    is distinct from (new.plan_id, new.client_id, new.creator_id, new.price_centavos)
  or (old.paid_at is not null and new.paid_at is distinct from old.paid_at)
  or (old.payment_id is not null and new.payment_id is distinct from old.payment_id)
  or (old.accepted_at is not null and new.accepted_at is distinct from old.accepted_at)
  or (old.user_set_done_at is not null and new.user_set_done_at is distinct from old.user_set_done_at)
  or (old.completed_at is not null and new.completed_at is distinct from old.completed_at)
  or (old.cancelled_at is not null and new.cancelled_at is distinct from old.cancelled_at)
  or (old.paid_out_at is not null and new.paid_out_at is distinct from old.paid_out_at)
  or (old.refunded_at is not null and new.refunded_at is distinct from old.refunded_at)
  or (old.review_submitted and not new.review_submitted)
) execute function interactions_refuse_return();
