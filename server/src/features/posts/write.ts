import {
  type NewPost,
  type Post,
  type PostChange,
  parseTags,
  type QuickPost,
} from '@tara/contract/posts/posts';
import { eq, sql } from 'drizzle-orm';
import { wholeRow } from '../../platform/database/columns.ts';
import type { Transaction } from '../../platform/database/connect.ts';
import { refuseTakenId } from '../../platform/database/constraint.ts';
import { lastRow } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { attachFile, describeFile, releaseFile } from '../files/index.ts';
import { profiles } from '../profiles/index.ts';
import { requireVisible } from '../visibility/index.ts';
import { postCan } from './policy.ts';
import { announcePost, announceRemovedPost, type RemovedPost } from './present.ts';
import { readPost } from './read.ts';
import { posts } from './tables.ts';

type PostContext = Pick<Platform, 'database' | 'bus'>;

/**
 * Stores a new post, with an id that its writer chose where the call lets them.
 * @throws Problem `document_already_exists` when that is taken
 */
async function insertPost(
  transaction: Transaction,
  chosenId: string | null,
  post: Omit<typeof posts.$inferInsert, 'id'>,
): Promise<string> {
  const id = chosenId ?? newId();
  await transaction
    .insert(posts)
    .values({ ...post, id })
    .catch(refuseTakenId('posts_pkey'));
  return id;
}

/** Publishes a post with an uploaded photo. */
export async function createPost(
  { database, bus }: PostContext,
  viewer: Viewer,
  form: NewPost,
  chosenId: string | null = null,
): Promise<Post> {
  const post = await database.transaction(async (transaction) => {
    const picture = await attachFile(transaction, {
      id: form.imageId,
      ownerAccountId: viewer.accountId,
      bucket: 'images',
      alt: form.alt,
    });
    const id = await insertPost(transaction, chosenId, {
      creatorId: viewer.profileId,
      caption: form.caption,
      imageId: picture.id,
      location: form.location,
      tags: parseTags(form.tags),
    });
    return readPost(transaction, viewer.profileId, id);
  });
  announcePost(bus, 'create', post);
  return post;
}

/** Publishes a caption with the creator's current profile picture (`usedDp`, decisions §1). */
export async function createQuickPost(
  { database, bus }: PostContext,
  viewer: Viewer,
  form: QuickPost & Partial<Pick<NewPost, 'location' | 'tags'>>,
  chosenId: string | null = null,
): Promise<Post> {
  const post = await database.transaction(async (transaction) => {
    // Held until the commit: a picture changed meanwhile would be removed under the new post.
    const [creator] = await transaction
      .select({ imageId: profiles.imageId })
      .from(profiles)
      .where(eq(profiles.id, viewer.profileId))
      .for('share');
    if (!creator) throw new Problem('profile_not_found');
    const id = await insertPost(transaction, chosenId, {
      creatorId: viewer.profileId,
      caption: form.caption,
      location: form.location ?? '',
      tags: parseTags(form.tags ?? ''),
      imageId: creator.imageId,
      usedDp: true,
    });
    return readPost(transaction, viewer.profileId, id);
  });
  announcePost(bus, 'create', post);
  return post;
}

/**
 * Holds one's own post until the commit.
 * @throws Problem `post_not_found`; `user_unauthorized` for another's post, which every member may read
 */
async function lockOwnPost(transaction: Transaction, viewer: Viewer, id: string) {
  const [post] = await transaction
    .select({ creatorId: posts.creatorId, imageId: posts.imageId, usedDp: posts.usedDp })
    .from(posts)
    .where(eq(posts.id, id))
    .for('update');
  if (!post) throw new Problem('post_not_found');
  requireVisible(viewer, post.creatorId, 'post_not_found');
  if (!postCan.change(viewer.profileId, post)) throw new Problem('user_unauthorized');
  return post;
}

/** Changes one's own post; a new photo takes the place of the one before. */
export async function updatePost(
  { database, bus }: PostContext,
  viewer: Viewer,
  change: PostChange,
): Promise<Post> {
  const post = await database.transaction(async (transaction) => {
    const before = await lockOwnPost(transaction, viewer, change.postId);
    const imageId = await changePhoto(transaction, viewer, before, change);
    await transaction
      .update(posts)
      .set({
        caption: change.caption,
        location: change.location,
        tags: parseTags(change.tags),
        updatedAt: sql`now()`,
        ...(imageId === null ? {} : { imageId }),
      })
      .where(eq(posts.id, change.postId));
    return readPost(transaction, viewer.profileId, change.postId);
  });
  announcePost(bus, 'update', post);
  return post;
}

/** Returns the id of the new photo; null when it stays. */
async function changePhoto(
  transaction: Transaction,
  viewer: Viewer,
  before: { imageId: string | null; usedDp: boolean },
  { imageId, alt }: PostChange,
): Promise<string | null> {
  if (imageId && imageId !== before.imageId) {
    if (!postCan.changePhoto(before)) {
      const rule = 'cannot be changed: the post shows the profile picture';
      throw new Problem('general_argument_invalid', { fields: { imageId: rule } });
    }
    const { accountId } = viewer;
    const picture = { id: imageId, ownerAccountId: accountId, bucket: 'images', alt } as const;
    const attached = await attachFile(transaction, picture);
    if (before.imageId !== null) await releaseFile(transaction, before.imageId);
    return attached.id;
  }
  if (alt !== undefined && before.imageId !== null && postCan.changePhoto(before)) {
    await describeFile(transaction, before.imageId, alt);
  }
  return null;
}

/** Removes a post of any member; null when there is none. Announce it after the commit. */
export async function removePost(transaction: Transaction, id: string): Promise<RemovedPost | null> {
  const [removed] = await transaction
    .delete(posts)
    .where(eq(posts.id, id))
    .returning({ creatorId: posts.creatorId, imageId: posts.imageId, row: wholeRow(posts) });
  if (removed === undefined) return null;
  const { creatorId, imageId, row } = removed;
  if (imageId !== null) await releaseFile(transaction, imageId);
  return { id, creatorId, last: lastRow(posts, row) };
}

/** Removes one's own post, its likes, saves and picture. */
export async function deletePost({ database, bus }: PostContext, viewer: Viewer, id: string): Promise<void> {
  const removed = await database.transaction(async (transaction) => {
    await lockOwnPost(transaction, viewer, id);
    return removePost(transaction, id);
  });
  if (removed) announceRemovedPost(bus, removed);
}
