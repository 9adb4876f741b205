-- What client and creator were called when the request ended; null while it is open. The deletion of an account
-- overwrites its own.
alter table interactions add column client_name text, add column creator_name text;

-- A trigger, so that every way of ending a request stores the names. One of the two who is hidden from the other keeps
-- the name that the other sees: that of the block.
create function name_parties_of_ended_request() returns trigger language plpgsql as $$
begin
  new.client_name = coalesce(new.client_name,
    (select name from hidden_members where viewer_id = new.creator_id and profile_id = new.client_id
      order by created_at limit 1),
    (select name from profiles where id = new.client_id));
  new.creator_name = coalesce(new.creator_name,
    (select name from hidden_members where viewer_id = new.client_id and profile_id = new.creator_id
      order by created_at limit 1),
    (select name from profiles where id = new.creator_id));
  return new;
end $$;
create trigger interactions_names before insert or update of completed_at, cancelled_at on interactions
  for each row when (new.completed_at is not null or new.cancelled_at is not null)
  execute function name_parties_of_ended_request();

-- Those that ended earlier get the names of today: this update fires the trigger.
update interactions set completed_at = completed_at where completed_at is not null or cancelled_at is not null;
