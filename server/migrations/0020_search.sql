-- Posts and people by their words: accents and case do not matter, and the newest hits are found first.
create extension if not exists unaccent;

-- The words of a text in lower case without accents and apostrophes, one space between. `unaccent` counts as stable
-- because its rules are a file of Postgres; they are named here and do not change while it runs.
create function search_words(content text) returns text
  language plpgsql immutable strict parallel safe
  as $$
  begin
    content := translate(public.unaccent('public.unaccent', lower(normalize(content, nfkc))), '''’', '');
    return btrim(regexp_replace(content, '[^[:alnum:]]+', ' ', 'g'));
  end $$;

-- Records are searched in slices of 4096 by their number, newest first, so that a search for a common word ends at the
-- newest 2,000 hits: each word is stored with its slice before it.
create function search_slice(number bigint) returns bigint
  language sql immutable strict parallel safe
  return number >> 12;

-- Words (of `search_words`) with their slice, of the same width for all; a word counts by its first 40 characters.
create function search_terms(slice bigint, words text) returns text
  language sql immutable strict parallel safe
  return replace(' ' || regexp_replace(words, '(\S{40})\S+', '\1', 'g'), ' ', ' s' || lpad(to_hex(slice), 6, '0'));

-- The words of a record's texts: the first text counts most (weight A), then B, C, D.
create function search_vector(number bigint, variadic contents text[]) returns tsvector
  language plpgsql immutable strict parallel safe
  as $$
  declare
    result tsvector := '';
    words text;
  begin
    for field in 1 .. array_length(contents, 1) loop
      words := search_words(contents[field]);
      continue when words = '';
      result := result || setweight(
        to_tsvector('pg_catalog.simple', search_terms(search_slice(number), words)), substr('ABCD', field, 1)::"char");
    end loop;
    return result;
  end $$;

-- What finds the records of a slice that have all `words` (of `search_words`, not empty), the last one as a beginning
-- when `begins`.
create function search_query(slice bigint, words text, begins boolean) returns tsquery
  language sql immutable strict parallel safe
  return to_tsquery('pg_catalog.simple',
    replace(btrim(search_terms(slice, words)), ' ', ' & ') || case when begins then ':*' else '' end);

-- `array_to_string` counts as stable because of other types than text.
create function search_tags(tags text[]) returns text
  language plpgsql immutable strict parallel safe
  as $$ begin return array_to_string(tags, ' '); end $$;

alter table posts add column number bigint;
update posts set number = numbered.number
  from (select id, row_number() over (order by created_at, id) as number from posts) as numbered
  where numbered.id = posts.id;
alter table posts alter column number set not null;
alter table posts alter column number add generated always as identity;
select setval(pg_get_serial_sequence('posts', 'number'), (select coalesce(max(number), 0) + 1 from posts), false);
alter table posts add column search tsvector not null
  generated always as (search_vector(number, search_tags(tags), location, caption)) stored;
create index posts_search on posts using gin (search);

alter table profiles add column number bigint;
update profiles set number = numbered.number
  from (select id, row_number() over (order by created_at, id) as number from profiles) as numbered
  where numbered.id = profiles.id;
alter table profiles alter column number set not null;
alter table profiles alter column number add generated always as identity;
select setval(
  pg_get_serial_sequence('profiles', 'number'), (select coalesce(max(number), 0) + 1 from profiles), false);
alter table profiles add column search tsvector not null
  generated always as (search_vector(number, name, username, hobby)) stored;
create index profiles_search on profiles using gin (search);
