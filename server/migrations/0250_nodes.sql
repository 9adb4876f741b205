-- The nodes that serve this database now, each with the time when it last noted that it lives (decision 0172). A node of an
-- older version has no row: it holds the database alone, so its jobs are those of a dead node once another one has it.
create table nodes (
  id text primary key,
  role text not null,
  started_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now(),
  -- By which the queue's library names what holds a job; null while the node does none.
  pool_id text unique
);
