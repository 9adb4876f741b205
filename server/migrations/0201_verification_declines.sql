-- What a member is told of the latest declined verification request, until the next one is sent.
alter table profiles
  add column decline_reason text check (decline_reason in ('unreadable', 'document', 'face', 'details', 'other')),
  add column decline_note text check (char_length(decline_note) <= 1000);
alter table profiles add constraint profiles_decline_whole check ((decline_reason is null) = (decline_note is null));
