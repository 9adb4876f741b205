-- Uploaded pictures. The bytes are in the file store under the id; here stands what is known of them.
create table files (
  id text primary key,
  bucket text not null check (bucket in ('images', 'messageFiles', 'verificationFiles')),
  owner_account_id text references accounts on delete set null,
  name text not null default '',
  mime_type text not null,
  -- Bytes and SHA-256 of the stored picture, which is not the uploaded one: it was re-encoded.
  size integer not null,
  signature text not null,
  width integer not null,
  height integer not null,
  thumbhash text not null,
  alt text not null default '',
  -- Widths in pixels of the stored variants.
  variants integer[] not null default '{}',
  -- Set when a record uses the file; what stays unused is removed after a day.
  used_at timestamptz(3),
  -- Accounts that may read it; null where every member may.
  readers text[],
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index files_unused on files (created_at) where used_at is null;
create index files_by_owner on files (owner_account_id);
