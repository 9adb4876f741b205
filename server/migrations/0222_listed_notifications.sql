-- A member's list without the notifications that are in no list. The first index serves the reference to profiles as well.
drop index notifications_listed;
create index notifications_listed on notifications (profile_id, in_app, created_at desc, id desc);
drop index notifications_by_group;
create index notifications_by_group on notifications (profile_id, group_name, created_at desc, id desc) where in_app;
