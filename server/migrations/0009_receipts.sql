-- The chat of one paid request.
create table receipts (
  id text primary key,
  interaction_id text not null unique references interactions,
  creator_id text not null references profiles,
  client_id text not null references profiles,
  creator_account_id text not null,
  client_account_id text not null,
  -- The sequence of its newest message.
  last_sequence integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table receipt_messages (
  receipt_id text not null references receipts on delete cascade,
  sequence integer not null,
  id text not null unique,
  user_id text not null references profiles,
  name text not null,
  body text not null default '',
  image_id text references files,
  -- Given by the sender, so that sending again changes nothing.
  client_key text not null,
  created_at timestamptz(3) not null default now(),
  primary key (receipt_id, sequence),
  unique (receipt_id, user_id, client_key),
  check (body <> '' or image_id is not null)
);
