-- A page of a member's requests as clients of the backend service list them, by each side.
create index interactions_by_creation_of_creator on interactions (creator_id, created_at, id);
create index interactions_by_creation_of_client on interactions (client_id, created_at, id);

-- One message is found by its id alone: by the chat first, a client that names only the message looked through all of its chats.
drop index messages_by_id;
create index messages_by_id on messages (id);
