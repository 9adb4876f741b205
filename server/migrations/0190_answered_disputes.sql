-- Whether the creator answered the dispute about a request: an answer is given once.
create or replace view interaction_links as
  select interactions.id as interaction_id, receipts.id as receipt_id, reviews.id as review_id,
    exists (select from request_decisions where request_decisions.interaction_id = interactions.id) as is_decided,
    exists (select from disputes where disputes.interaction_id = interactions.id and answered_at is not null)
      as is_dispute_answered
  from interactions
  left join receipts on receipts.interaction_id = interactions.id
  left join reviews on reviews.interaction_id = interactions.id;
