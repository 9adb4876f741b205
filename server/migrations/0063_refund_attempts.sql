-- Part of the idempotency key under which a refund is sent; raised only once the last sending is known to have moved nothing.
alter table refunds add column attempt integer not null default 1 check (attempt > 0);
