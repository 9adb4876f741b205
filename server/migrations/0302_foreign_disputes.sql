-- A dispute can be about no payment of Tara. One that had a payment before keeps how often it was assigned, and until when evidence is taken.
alter table unassigned_disputes add column is_foreign boolean not null default false;
alter table unassigned_disputes add column assignments integer not null default 0;
alter table unassigned_disputes add column due_on date;
