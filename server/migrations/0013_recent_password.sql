-- When a session's holder last showed the account's password: sensitive calls need it to be recent.
alter table sessions add column password_shown_at timestamptz(3) not null default now();
update sessions set password_shown_at = created_at;
