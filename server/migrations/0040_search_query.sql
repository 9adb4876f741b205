-- A search makes its query once for each slice, so this is only text put together: parsing it as a text of words took ten
-- times as long.

-- What somebody searches for: words as `search_vector` stores them, each at most 40 characters.
create function search_input(content text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(search_words(content), '(\S{40})\S+', '\1', 'g');

-- What finds the records of a slice that have all `words` (of `search_input`, not empty), the last one as a beginning
-- when `begins`.
create or replace function search_query(slice bigint, words text, begins boolean) returns tsquery
  language sql immutable strict parallel safe
  return (
    replace('''s@' || replace(words, ' ', ''' & ''s@') || '''', '@', lpad(to_hex(slice), 6, '0'))
    || case when begins then ':*' else '' end)::tsquery;
