-- The id that the sender chose, under which its owner is shown the file, and in how many parts it came. The signature becomes the MD5 of the stored
-- bytes, as clients of the backend service know it; `files.sweep` signs what was stored before.
alter table files
  add column chosen_id text,
  add column parts integer not null default 1;
create index files_sha256 on files (id) where length(signature) = 64;
