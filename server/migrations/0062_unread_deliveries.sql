-- Signed deliveries of the payment provider that could not be read, as they came. They are answered like any other, because
-- a refused one is repeated and in the end disables the webhook.
create table unread_deliveries (
  -- SHA-256 of the body, in hex: a repeated delivery is the same row.
  id text primary key,
  body bytea not null,
  -- Which rule of the format it breaks, without its values.
  problem text not null,
  received_at timestamptz(3) not null default now()
);
