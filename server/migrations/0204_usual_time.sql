-- The latest accepted verification requests, of which members are told how long one usually takes.
create index verifications_by_acceptance on verifications (accepted_at desc, created_at) where accepted_at is not null;
