-- Admins find a request by what the provider calls its money, and read what admins did about it.
create index refunds_by_provider_id on refunds (refund_id) where refund_id is not null;
create index payouts_by_transfer on payouts (transfer_id) where transfer_id is not null;
create index payouts_by_reference on payouts (manual_reference) where manual_reference is not null;
create index audit_log_by_subject on audit_log (subject);
