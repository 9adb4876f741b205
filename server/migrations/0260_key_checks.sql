-- Which keys the database was used with: an HMAC of a constant by each, never a key. A node with other keys does not start.
create table key_checks (
  name text not null,
  value bytea not null,
  primary key (name, value)
);
