-- Codes of six digits that a mail brings, beside those of texts.
alter table challenges drop constraint challenges_kind_check;
alter table challenges add constraint challenges_kind_check
  check (kind in ('magic-url', 'email-code', 'phone', 'phone-verification'));
