-- Exports of a member's own data. The file is in the file store under `exports/<id>`, encrypted by a key of its own.
create table data_exports (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  -- The file's key, sealed with server.key, and its bytes; null while the export is being made.
  sealed_key text,
  size_bytes bigint,
  ready_at timestamptz(3),
  -- When the file is removed; null while the export is being made.
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check ((ready_at is null) = (sealed_key is null) and (ready_at is null) = (size_bytes is null)
    and (ready_at is null) = (expires_at is null))
);
create index data_exports_by_account on data_exports (account_id, created_at desc);
create index data_exports_expiring on data_exports (expires_at) where expires_at is not null;
