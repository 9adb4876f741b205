-- Posts with a tag, for the lists of the backend service. Likes and views change no indexed column.
create index posts_by_tag on posts using gin (tags) with (fastupdate = off);
