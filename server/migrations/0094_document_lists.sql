-- The orders in which clients of the backend service list these records when they filter by no member.
create index plans_by_creation on plans (created_at, id) where removed_at is null;
create index plans_by_update on plans (updated_at, id) where removed_at is null;
create index reviews_by_creation on reviews (created_at, id);
create index reviews_by_update on reviews (updated_at, id);
create index reviews_by_plan on reviews (plan_id, created_at, id);
create index review_comments_by_creation on review_comments (created_at, id);
