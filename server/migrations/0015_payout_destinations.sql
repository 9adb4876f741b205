-- From when payouts may go to the present phone number; null as long as it is the first one.
alter table profiles add column payout_number_from timestamptz(3);
-- Shown to the creator: the payout of this request waits for a changed phone number.
alter table interactions add column payout_waits_until timestamptz(3);

-- What was sent to the provider, so that a retry sends the very same under the same key.
create table payout_attempts (
  interaction_id text not null references payouts,
  attempt integer not null check (attempt > 0),
  idempotency_key text not null unique,
  destination jsonb not null,
  -- Null for what was sent before this table was there.
  source jsonb,
  created_at timestamptz(3) not null default now(),
  -- When the provider definitely refused it; only then another attempt may follow.
  refused_at timestamptz(3),
  refusal text,
  primary key (interaction_id, attempt)
);
insert into payout_attempts (interaction_id, attempt, idempotency_key, destination)
  select interaction_id, attempt, interaction_id || case when attempt = 1 then '' else '-' || attempt end,
    jsonb_build_object('number', regexp_replace(digits, '^63(?=\d{10}$)', '0'), 'name', name, 'bic', 'GXCHPHM2XXX')
  from payouts join profiles on profiles.id = creator_id,
    lateral (select regexp_replace(phone_number, '\D', '', 'g') as digits) as dialled
  where state = 'sending' and digits <> '';

create function payout_attempts_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'an attempt at a payout never changes' using errcode = 'restrict_violation';
end $$;
create trigger payout_attempts_frozen before update on payout_attempts for each row when (
  (old.interaction_id, old.attempt, old.idempotency_key, old.destination, old.source)
    is distinct from (new.interaction_id, new.attempt, new.idempotency_key, new.destination, new.source)
  or (old.refused_at is not null and new.refused_at is distinct from old.refused_at)
) execute function payout_attempts_refuse_change();
create trigger payout_attempts_stay before delete or truncate on payout_attempts
  for each statement execute function payout_attempts_refuse_change();

create function payout_attempts_one_open() returns trigger language plpgsql as $$
begin
  if exists (select from payout_attempts
    where interaction_id = new.interaction_id and attempt < new.attempt and refused_at is null) then
    raise exception 'the attempt before is not refused' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payout_attempts_one_open before insert on payout_attempts
  for each row execute function payout_attempts_one_open();
