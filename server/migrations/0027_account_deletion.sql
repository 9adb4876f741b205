-- When the account of a member who leaves is deleted, until then hidden and restorable; and when it was.
alter table accounts add column deletes_at timestamptz(3);
alter table accounts add column deleted_at timestamptz(3);
-- Of a deleted member records of money keep an empty profile, which nobody sees.
alter table profiles add column deleted_at timestamptz(3);
create index accounts_leaving on accounts (deletes_at) where deletes_at is not null;

-- A deleted member's plan stays for its requests, without its cover.
alter table plans alter column image_id drop not null;

-- Who is hidden from a viewer: by a block in either direction, or because the member leaves.
create or replace view hidden_members as
  select blocker_id as viewer_id, blocked_id as profile_id, profiles.account_id, blocked_name as name, blocks.created_at
  from blocks join profiles on profiles.id = blocked_id
  union all
  select blocked_id, blocker_id, profiles.account_id, blocker_name, blocks.created_at
  from blocks join profiles on profiles.id = blocker_id
  union all
  select viewers.id, leaving.id, leaving.account_id, leaving.name, accounts.deletes_at
  from accounts
  join profiles as leaving on leaving.account_id = accounts.id
  join profiles as viewers on viewers.id <> leaving.id
  where accounts.deletes_at is not null;

-- Whom a payout was sent to goes with the member; that it was sent, and how much, stays.
drop trigger payout_attempts_frozen on payout_attempts;
create trigger payout_attempts_frozen before update on payout_attempts for each row when (
  (old.interaction_id, old.attempt, old.idempotency_key, old.source)
    is distinct from (new.interaction_id, new.attempt, new.idempotency_key, new.source)
  or (old.destination is distinct from new.destination
    and new.destination <> jsonb_build_object('number', '', 'name', 'Deleted member', 'bic', old.destination -> 'bic'))
  or (old.refused_at is not null and new.refused_at is distinct from old.refused_at)
) execute function payout_attempts_refuse_change();

-- What an export and a deletion look for.
create index receipts_by_creator on receipts (creator_id);
create index receipts_by_client on receipts (client_id);
create index reviews_by_creator on reviews (creator_id);
create index payouts_by_creator on payouts (creator_id);
create index verifications_by_user on verifications (user_id);
create index friends_by_friend on friends (friend_id);
