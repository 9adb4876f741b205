-- Whether the provider said that the evidence was sent and the card issuer reviews it.
alter table chargebacks add column is_under_review boolean not null default false;
alter table unassigned_disputes add column is_under_review boolean not null default false;
