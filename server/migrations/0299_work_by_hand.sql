-- The list of what admins send by hand has another name; a notification that was stored under the one before would be about reports.
update notifications set record_id = 'byHand' where event = 'workWaits' and record_id = 'toPayOut'
  and not exists (select from notifications as other where other.event = 'workWaits' and other.record_id = 'byHand'
    and other.profile_id = notifications.profile_id and other.occasion = notifications.occasion);
