-- Messages of the plan chat that each side of a dispute wrote and chose to add to its story, oldest first: copied as they
-- were then, because a message that is unsent later must not change what an admin decides by.
create table dispute_messages (
  interaction_id text not null references disputes on delete cascade,
  profile_id text not null references profiles,
  position smallint not null check (position between 0 and 9),
  message_id text not null,
  -- Empty once the account of its writer is deleted.
  body text not null check (char_length(body) <= 5000),
  sent_at timestamptz(3) not null,
  primary key (interaction_id, profile_id, position),
  unique (interaction_id, message_id)
);
create index dispute_messages_by_member on dispute_messages (profile_id);
