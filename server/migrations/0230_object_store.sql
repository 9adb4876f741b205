-- Where the bytes of a file are in the store; null of files of before, which are under their id. A path is never used
-- twice, so no late write or removal meets the bytes of another file.
alter table files add column path text;
create unique index files_path on files (path);
-- SHA-256 of the picture as stored and of each of its variants, in their order; empty of files of before.
alter table files add column checksums text[] not null default '{}';
-- Where the parts of an upload are; null of uploads of before, whose parts are under parts/ and their id.
alter table uploads add column path text;
create unique index uploads_path on uploads (path);

-- Objects of the store that no row refers to: those about to be written, and those to be removed.
create table object_removals (
  key text primary key check (length(key) <= 200),
  -- When it goes, unless a row has come to refer to it.
  due_at timestamptz(3) not null
);
create index object_removals_due on object_removals (due_at);
