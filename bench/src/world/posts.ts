import type { World } from './database.ts';
import { idOf } from './members.ts';

interface Counts {
  members: number;
  posts: number;
  likes: number;
  saves: number;
}

/** Adds posts with their pictures, likes and saves of the members that `addMembers` added, spread evenly. */
export async function addPosts({ sql }: World, { members, posts, likes, saves }: Counts): Promise<void> {
  const numbers = (count: number) => `generate_series(0, ${count - 1}) as number`;
  const member = (number: string) => idOf('profile', `((${number}) % ${members})`);
  const post = `(number % ${posts})`;
  await sql.unsafe(`
    insert into files (id, bucket, owner_account_id, mime_type, size, signature, width, height, thumbhash, alt, used_at)
    select ${idOf('photo', 'number')}, 'images', ${idOf('account', `(number % ${members})`)}, 'image/jpeg', 300000,
      md5('' || number), 1080, 1350, 'JhgKDAQmZYl3h4iCeHiHhwAAAAAA', 'What the photo shows', now()
    from ${numbers(posts)}`);
  await sql.unsafe(`
    insert into posts (id, creator_id, caption, image_id, location, tags, total_likes, created_at, updated_at)
    select ${idOf('post', 'number')}, ${member('number')},
      'Day ' || number || ': ' || repeat('a walk along the shore, ', 1 + number % 5), ${idOf('photo', 'number')},
      'Manila', array['walk', 'shore', 'day' || number], ${Math.floor(likes / posts)},
      now() - number * interval '1 minute', now() - number * interval '1 minute'
    from ${numbers(posts)}`);
  // No member likes a post twice: the second round is 17 members further on.
  const fan = member(`${post} * 31 + number / ${posts} * 17`);
  await sql.unsafe(`
    insert into post_likes (id, who_liked, post_id)
    select left(${fan}, 8) || left(${idOf('post', post)}, 8), ${fan}, ${idOf('post', post)}
    from ${numbers(likes)}`);
  const saver = member('number * 13');
  await sql.unsafe(`
    insert into saves (id, user_id, post_id)
    select left(${saver}, 8) || left(${idOf('post', 'number')}, 8), ${saver}, ${idOf('post', 'number')}
    from ${numbers(saves)}`);
  await sql.unsafe('vacuum analyze');
  await sql.unsafe('checkpoint');
}
