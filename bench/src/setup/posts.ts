import type { BenchDatabase } from './database.ts';
import { sqlId } from './members.ts';

export interface PostCounts {
  members: number;
  posts: number;
  likes: number;
  saves: number;
  /** SQL of the tags of the post `number`. */
  tags?: string;
}

/** Adds the words of all posts. Their index is made at the end: row by row a million takes minutes. */
async function addWords(sql: BenchDatabase['sql']): Promise<void> {
  const [index] = await sql<{ definition: string }[]>`
    select pg_get_indexdef('post_search_keys'::regclass) as definition`;
  if (!index) throw new Error('The words have no index.');
  await sql`drop index post_search_keys`;
  await sql`
    insert into post_search (number, creator_id, words)
    select number, creator_id, search_vector(search_tags(tags), location, caption) from posts order by number`;
  await sql.unsafe(index.definition);
}

/** Adds posts with pictures, likes and saves, spread evenly over the members from `addMembers`. */
export async function addPosts(
  { sql }: BenchDatabase,
  { members, posts, likes, saves, tags = `array['walk', 'shore', 'day' || number]` }: PostCounts,
): Promise<void> {
  const numbers = (count: number) => `generate_series(0, ${count - 1}) as number`;
  const member = (number: string) => sqlId('profile', `((${number}) % ${members})`);
  const post = `(number % ${posts})`;
  await sql.unsafe(`
    insert into files (id, bucket, owner_account_id, mime_type, size, signature, width, height, thumbhash, alt, used_at)
    select ${sqlId('photo', 'number')}, 'images', ${sqlId('account', `(number % ${members})`)}, 'image/jpeg', 300000,
      md5('' || number), 1080, 1350, 'JhgKDAQmZYl3h4iCeHiHhwAAAAAA', 'What the photo shows', now()
    from ${numbers(posts)}`);
  await sql.unsafe(`
    insert into posts (id, creator_id, caption, image_id, location, tags, total_likes, created_at, updated_at)
    select ${sqlId('post', 'number')}, ${member('number')},
      'Day ' || number || ': ' || repeat('a walk along the shore, ', 1 + number % 5), ${sqlId('photo', 'number')},
      'Manila', ${tags}, ${Math.floor(likes / posts)},
      now() - number * interval '1 minute', now() - number * interval '1 minute'
    from ${numbers(posts)}`);
  // Triggers are off.
  await sql.unsafe('insert into post_popularity (post_id, popular_at) select id, created_at from posts');
  await addWords(sql);
  // No member likes a post twice: each further round is offset by 17 members.
  const liker = member(`${post} * 31 + number / ${posts} * 17`);
  await sql.unsafe(`
    insert into post_likes (id, who_liked, post_id)
    select left(${liker}, 8) || left(${sqlId('post', post)}, 8), ${liker}, ${sqlId('post', post)}
    from ${numbers(likes)}`);
  const saver = member('number * 13');
  await sql.unsafe(`
    insert into saves (id, user_id, post_id)
    select left(${saver}, 8) || left(${sqlId('post', 'number')}, 8), ${saver}, ${sqlId('post', 'number')}
    from ${numbers(saves)}`);
  await sql.unsafe('vacuum analyze');
  await sql.unsafe('checkpoint');
}
