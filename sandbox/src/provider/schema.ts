/** Tables of `provider.sqlite`. Times are ms. */
export const SCHEMA = `
create table if not exists objects (
  seq integer primary key autoincrement,
  id text not null unique,
  kind text not null,
  parent text,
  attributes text not null,
  created_at integer not null,
  updated_at integer not null,
  due_at integer
);
create index if not exists objects_kind on objects (kind, seq);
create index if not exists objects_parent on objects (parent, kind, seq) where parent is not null;
create index if not exists objects_due on objects (due_at) where due_at is not null;
create index if not exists objects_reference on objects (kind, json_extract(attributes, '$.reference_number'));

create table if not exists events (
  seq integer primary key autoincrement,
  id text not null unique,
  type text not null,
  body text not null,
  created_at integer not null
);

create table if not exists deliveries (
  id integer primary key autoincrement,
  event_id text not null references events (id),
  webhook_id text not null,
  -- pending, succeeded, failed, dropped or not_sent
  state text not null,
  -- held until a later delivery to the same webhook was attempted
  held integer not null default 0,
  attempts integer not null default 0,
  next_at integer not null,
  answer text,
  updated_at integer not null
);
create index if not exists deliveries_due on deliveries (next_at) where state = 'pending';
create index if not exists deliveries_event on deliveries (event_id);

-- consecutive events whose retries all failed
create table if not exists exhausted (webhook_id text primary key, events integer not null);

drop table if exists idempotency;
create table if not exists idempotent_calls (
  key text primary key,
  -- of method, path and body
  fingerprint text not null,
  status integer not null,
  reply text not null,
  created_at integer not null
);

create table if not exists faults (
  id integer primary key autoincrement,
  kind text not null,
  path text not null default '',
  method text not null default '',
  event text not null default '',
  times integer,
  delay_ms integer,
  used integer not null default 0
);

create table if not exists settings (name text primary key, value text not null);

-- links of files from before there was a second API
update objects set attributes = json_set(attributes, '$.api', 'links', '$.limit', 1)
where kind = 'link' and json_extract(attributes, '$.api') is null;`;
