alter table profiles add column working_as text not null default '';
