-- What a node shares with others, by which they are compared; null is its own (decision 0173). Such a node serves alone.
alter table nodes add column bus text, add column store text;
