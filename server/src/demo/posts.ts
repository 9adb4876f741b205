import { sql } from 'drizzle-orm';
import { postLikes, posts, saves } from '../features/posts/index.ts';
import type { Transaction } from '../platform/database/connect.ts';
import { newId } from '../platform/ids.ts';
import type { People } from './members.ts';
import { posts as written } from './offers.ts';
import { members } from './people.ts';
import { type Stored, usePicture } from './pictures-in-store.ts';
import { numbersFrom } from './scenes.ts';
import { ago } from './time.ts';

const compositeId = (who: string, post: string) => who.slice(0, 8) + post.slice(0, 8);

/** Adds the posts with their likes and a few saves. */
export async function addPosts(transaction: Transaction, people: People, stored: Stored): Promise<void> {
  const next = numbersFrom(2026);
  for (const [at, post] of written.entries()) {
    const { accountId, profileId } = people(post.by);
    const published = ago({ hours: at * 7, minutes: 24 });
    const imageId = await usePicture(transaction, stored, {
      name: `post-${at}`,
      ownerAccountId: accountId,
      alt: post.alt,
      at: published,
    });
    const { caption, location, tags } = post;
    const id = newId();
    await transaction.insert(posts).values({
      ...{ id, creatorId: profileId, caption, location, tags, imageId },
      createdAt: published,
      updatedAt: published,
    });
    const fans = members
      .filter(({ key }) => key !== post.by && next() < 0.55)
      .map(({ key }) => people(key).profileId);
    if (fans.length === 0) continue;
    const likes = fans.map((whoLiked) => ({ id: compositeId(whoLiked, id), whoLiked, postId: id }));
    await transaction.insert(postLikes).values(likes);
    await transaction.update(posts).set({ totalLikes: fans.length }).where(sql`${posts.id} = ${id}`);
    const [keeper] = fans;
    if (keeper)
      await transaction.insert(saves).values({ id: compositeId(keeper, id), userId: keeper, postId: id });
  }
}
