-- An admin can correct for some days what they said, so its time is kept.
alter table unassigned_disputes add column foreign_at timestamptz(3);
update unassigned_disputes set foreign_at = now() where is_foreign;
alter table unassigned_disputes drop column is_foreign;
