-- Of a reported message: its chat, by which it is found.
alter table reports add column chat_id text;
