-- Members about whom a report waits for an admin.
create view reported_members as
  select distinct member_id as profile_id from reports where decided_at is null and member_id is not null;
create index reports_open_by_member on reports (member_id) where decided_at is null;
