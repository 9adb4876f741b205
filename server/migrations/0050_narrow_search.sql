-- A search reads up to 2,000 hits, most of them on pages of their own. They are read from narrow rows, and rare words are
-- looked for in larger slices than common ones (decision 0034).
drop index posts_search;
alter table posts drop column search;
drop index profiles_search;
alter table profiles drop column search;
drop function search_vector(bigint, text[]);
drop function search_query(bigint, text, boolean);
drop function search_terms(bigint, text);
drop function search_slice(bigint);

-- The words of a record's texts. The first text counts most (weight A), then the second (B), then the others, whose words
-- have neither weight nor position. Text of letters and digits needs no parser.
create function search_vector(variadic contents text[]) returns tsvector
  language plpgsql immutable strict parallel safe
  as $$
  declare
    result tsvector := '';
    words text;
    weight text;
  begin
    for field in 1 .. array_length(contents, 1) loop
      words := public.search_input(contents[field]);
      continue when words = '';
      weight := case field when 1 then ':1A' when 2 then ':1B' else '' end;
      result := result || ('''' || replace(words, ' ', '''' || weight || ' ''') || '''' || weight)::tsvector;
    end loop;
    return result;
  end $$;

-- How the keys of a slice begin, all of the same width: small slices have 1,024 numbers, large ones 32,768.
create function search_slice(size text, slice bigint) returns text
  language sql immutable strict parallel safe
  return size || lpad(to_hex(slice), 6, '0');

-- What the index has of a record: each word behind the small and behind the large slice of its number. Costly, so that
-- nothing but the index calls it.
create function search_keys(number bigint, words tsvector) returns tsvector
  language plpgsql immutable strict parallel safe cost 10000
  as $$
  begin
    return array_to_tsvector(array(
      select slice || word
      from unnest(array[public.search_slice('s', number >> 10), public.search_slice('l', number >> 15)]) as slice,
        unnest(tsvector_to_array(words)) as word));
  end $$;

-- The slices that hold all numbers up to the last, newest first: small ones for the newest 32,768 to 65,536 numbers, so
-- that a common word is read no further than needed; large ones for the others.
create function search_slices(last_number bigint) returns setof text
  language plpgsql immutable strict parallel safe rows 100
  as $$
  declare
    first_small bigint := greatest((last_number >> 15) - 1, 0) << 5;
  begin
    return query select public.search_slice('s', slice)
      from generate_series(last_number >> 10, first_small, -1) as slice;
    return query select public.search_slice('l', slice)
      from generate_series((first_small >> 5) - 1, 0, -1) as slice;
  end $$;

-- The text of a query for all `words` (`&`; of `search_input`, not empty), or for any of them (`|`); the last one also as a
-- beginning when `begins`. `@` stands for the slice, so that a search only replaces it for each slice.
create function search_query(words text, operator text, begins boolean) returns text
  language sql immutable strict parallel safe
  return '''@' || replace(words, ' ', ''' ' || operator || ' ''@') || '''' || case when begins then ':*' else '' end;

-- What a search reads of a post: few bytes, so that many are on a page.
alter table posts add constraint posts_number unique (number);
create table post_search (
  number bigint primary key references posts (number) on delete cascade,
  creator_id text not null,
  words tsvector not null
);
insert into post_search (number, creator_id, words)
  select number, creator_id, search_vector(search_tags(tags), location, caption) from posts order by number;
-- Without a list of pending entries, which each slice would read whole.
create index post_search_keys on post_search using gin (search_keys(number, words)) with (fastupdate = off);

create function write_post_search() returns trigger language plpgsql as $$
begin
  insert into post_search (number, creator_id, words)
    values (new.number, new.creator_id, search_vector(search_tags(new.tags), new.location, new.caption))
    on conflict (number) do update set words = excluded.words;
  return null;
end $$;
create trigger post_search_of_new after insert on posts
  for each row execute function write_post_search();
create trigger post_search_of_changed after update of tags, location, caption on posts
  for each row when ((old.tags, old.location, old.caption) is distinct from (new.tags, new.location, new.caption))
  execute function write_post_search();

alter table profiles add constraint profiles_number unique (number);
alter table profiles add column words tsvector not null
  generated always as (search_vector(name, username, hobby)) stored;
create index profiles_search on profiles using gin (search_keys(number, words)) with (fastupdate = off);
