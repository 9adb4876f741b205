-- What the client objects to about a paid request, and what its creator answers; `interactions.disputed_at` says that it is open.
create table disputes (
  interaction_id text primary key references interactions on delete cascade,
  reason text not null check (reason in ('absent', 'different', 'unsafe', 'money', 'other')),
  -- Of the client; empty once that account is deleted.
  story text not null check (char_length(story) <= 2000),
  created_at timestamptz(3) not null default now(),
  -- Of the creator.
  answer text check (char_length(answer) <= 2000),
  answered_at timestamptz(3),
  check ((answer is null) = (answered_at is null))
);

-- The photos of each side beside its story, in their order.
create table dispute_photos (
  interaction_id text not null references disputes on delete cascade,
  profile_id text not null references profiles,
  position smallint not null check (position between 0 and 4),
  -- Unique, and asked whenever a file is removed: does a record still show it?
  image_id text not null unique references files,
  primary key (interaction_id, profile_id, position)
);
create index dispute_photos_by_member on dispute_photos (profile_id);

-- What an admin decided about the money of a request that was disputed, or that its client did not answer. Once.
create table request_decisions (
  interaction_id text primary key references interactions on delete cascade,
  -- Why it was decided.
  occasion text not null check (occasion in ('dispute', 'noAnswer')),
  outcome text not null check (outcome in ('release', 'refund', 'split')),
  refund_centavos bigint not null check (refund_centavos >= 0),
  -- What both parties read of it.
  note text not null check (char_length(note) <= 1000),
  -- Account of the admin.
  decided_by text references accounts on delete set null,
  created_at timestamptz(3) not null default now()
);
