-- Tags are stored as they are compared: spellings that look alike, such as full-width letters, are one tag (NFKC).
create function fold_tags(tags text[]) returns text[]
  language sql immutable strict parallel safe
  return coalesce((
    select array_agg(tag order by place)
    from (
      select tag, min(place) as place
      from (
        select regexp_replace(regexp_replace(part, '\s+', '', 'g'), '^#+', '') as tag, row_number() over (order by position, part_position) as place
        from unnest(tags) with ordinality as stored (value, position),
          unnest(string_to_array(normalize(value, nfkc), ',')) with ordinality as parts (part, part_position)) as folded
      where tag <> ''
      group by tag) as once), '{}');
update posts set tags = fold_tags(tags) where tags::text is distinct from normalize(tags::text, nfkc);
update reviews set tags = fold_tags(tags) where tags::text is distinct from normalize(tags::text, nfkc);
drop function fold_tags(text[]);
