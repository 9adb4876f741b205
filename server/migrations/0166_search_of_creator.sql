-- Whoever leaves takes along the words of their posts: without it all posts were read.
create index post_search_by_creator on post_search (creator_id);
