-- Messages are reported too.
alter table reports drop constraint reports_kind_check;
alter table reports add constraint reports_kind_check
  check (kind in ('member', 'post', 'comment', 'review', 'plan', 'message'));
