-- What is wrong has a group of its own, which admins cannot switch off (decision 0165).
update notifications set group_name = 'alerts' where event = 'ledgerDiffers';
