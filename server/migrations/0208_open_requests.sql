-- The requests of a member that are open: what waits for the member is counted among them alone.
create index interactions_open_of_client on interactions (client_id)
  where cancelled_at is null and completed_at is null;
create index interactions_open_of_creator on interactions (creator_id)
  where cancelled_at is null and completed_at is null;
-- Those that are paid are found by the same.
drop index interactions_held_of_client;
drop index interactions_held_for_creator;
