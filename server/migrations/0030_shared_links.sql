-- Whether people who are not signed in see the member's posts behind shared links.
alter table profiles add column shares_posts boolean not null default false;
