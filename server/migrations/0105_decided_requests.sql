-- Whether an admin decided about a request's money: both parties find the decision on its card.
create or replace view interaction_links as
  select interactions.id as interaction_id, receipts.id as receipt_id, reviews.id as review_id,
    exists (select from request_decisions where request_decisions.interaction_id = interactions.id) as is_decided
  from interactions
  left join receipts on receipts.interaction_id = interactions.id
  left join reviews on reviews.interaction_id = interactions.id;
