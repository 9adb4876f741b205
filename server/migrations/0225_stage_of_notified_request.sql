-- What asks for something is mailed and pushed only while the request waits for it (decision 0160).
create or replace view notification_requests as
  select interactions.id, plan_title, price_centavos, interactions.client_id, interactions.creator_id, paid_at,
    receipts.id as chat_id, interactions.completed_at is null and interactions.cancelled_at is null as is_open, stage
  from interactions left join receipts on receipts.interaction_id = interactions.id;
