-- Every action of an admin, and every view of an identity document. Append-only.
create table audit_log (
  id bigint generated always as identity primary key,
  actor_account_id text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  created_at timestamptz(3) not null default now()
);
create function audit_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'restrict_violation';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function audit_refuse_change();
