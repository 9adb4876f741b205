-- Uploads that come in several parts of 5 MiB, in any order. The parts are in the file store under parts/<id>/<index>, those of identity pictures
-- encrypted. The row goes when the file is whole and stored, or a day after the last part.
create table uploads (
  -- Of the file that it becomes.
  id text primary key,
  owner_account_id text not null references accounts on delete cascade,
  bucket text not null check (bucket in ('images', 'messageFiles', 'verificationFiles')),
  chosen_id text,
  name text not null default '',
  -- Bytes of the whole file, as the sender announced them.
  size integer not null check (size > 0),
  -- Indexes of the parts that are stored, in the order in which they came.
  parts integer[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index uploads_by_owner on uploads (owner_account_id);
create index uploads_by_age on uploads (updated_at);
