-- Deleting a file asks who refers to it.
create index plans_by_image on plans (image_id);
create index receipt_messages_by_image on receipt_messages (image_id) where image_id is not null;
create index reviews_by_image on reviews (image_id) where image_id is not null;
