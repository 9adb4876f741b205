-- What a feature reads of tables of features that build on it, which it cannot import.

-- A request's plan chat and review (§4). One row per request.
create view interaction_links as
  select interactions.id as interaction_id, receipts.id as receipt_id, reviews.id as review_id
  from interactions
  left join receipts on receipts.interaction_id = interactions.id
  left join reviews on reviews.interaction_id = interactions.id;

-- The requests of a plan: for what it earned, and whether its viewer has one open.
create view plan_requests as
  select id, plan_id, client_id, stage, price_centavos, admin_set_done_at from interactions;
