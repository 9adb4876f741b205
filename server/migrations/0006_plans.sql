create table plans (
  id text primary key,
  creator_id text not null references profiles on delete cascade,
  title text not null,
  description text not null default '',
  time text not null default '',
  price_centavos bigint not null check (price_centavos >= 0),
  image_id text not null references files,
  terms text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index plans_by_creator on plans (creator_id, created_at desc, id desc);
