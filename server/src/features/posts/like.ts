import { pageSize } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import type { Person } from '@tara/contract/profiles';
import { and, eq, sql } from 'drizzle-orm';
import { keyset, presentPage, readCursor } from '../../platform/cursor.ts';
import { compositeIds } from '../../platform/database/composite-id.ts';
import type { Database } from '../../platform/database/connect.ts';
import { refuseAs } from '../../platform/database/constraint.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { files, pictureColumns } from '../files/index.ts';
import { personColumns, presentPerson, profiles } from '../profiles/index.ts';
import { requireVisible, visibleTo } from '../visibility/index.ts';
import { postCan } from './policy.ts';
import { announceLikes, announceOwn } from './present.ts';
import { postLikes, postPopularity, posts, saves } from './tables.ts';

export interface Likes {
  totalLikes: number;
  /** By the viewer. */
  liked: boolean;
  /** Profile of the post's creator. */
  creatorId: string;
}

/** Ids of likes of posts. */
export const postLikeIds = compositeIds({
  table: postLikes,
  owner: postLikes.whoLiked,
  subject: postLikes.postId,
  index: 'post_likes_own_id',
});

/** Ids of saved posts. */
export const saveIds = compositeIds({
  table: saves,
  owner: saves.userId,
  subject: saves.postId,
  index: 'saves_own_id',
});

/** `likeId`: of the like that came or went. */
type ChangedLikes = Likes & { likeId: string | null };
type Liked = Omit<ChangedLikes, 'liked'> & Record<string, unknown>;

function firstOrNotFound<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Problem('post_not_found');
  return row;
}

/**
 * Likes a post; again changes nothing. The count and the place among the popular posts move with the row, in one
 * statement (decisions §2).
 */
async function likePost(database: Database, viewer: Viewer, postId: string): Promise<ChangedLikes> {
  const { profileId } = viewer;
  const shown = and(eq(posts.id, postId), visibleTo(viewer, posts.creatorId));
  const statement = sql`
    with added as (
      insert into ${postLikes} (id, who_liked, post_id)
      select ${postLikeIds.make(profileId, postId)}, ${profileId}, ${posts.id} from ${posts} where ${shown}
      on conflict (who_liked, post_id) do nothing returning id, created_at),
    moved as (
      update ${postPopularity} set popular_at = popularity_with(popular_at, added.created_at)
      from added where post_id = ${postId})
    update ${posts} set total_likes = total_likes + (select count(*) from added)
    where ${shown} returning total_likes as "totalLikes", creator_id as "creatorId", (select id from added) as "likeId"`;
  const rows = await postLikeIds
    .write(() => database.execute<Liked>(statement))
    // Deleted while it was being liked.
    .catch(refuseAs({ post_likes_post_id_fkey: 'post_not_found' }));
  return { ...firstOrNotFound(rows), liked: true };
}

/** Takes a like back; again changes nothing. */
async function unlikePost(database: Database, viewer: Viewer, postId: string): Promise<ChangedLikes> {
  const rows = await database.execute<Liked>(sql`
    with removed as (
      delete from ${postLikes} where who_liked = ${viewer.profileId} and post_id = ${postId} returning id, created_at),
    moved as (
      update ${postPopularity}
      set popular_at = popularity_without(popular_at, removed.created_at, ${postId}, ${viewer.profileId})
      from removed where post_id = ${postId})
    update ${posts} set total_likes = total_likes - (select count(*) from removed)
    where ${posts.id} = ${postId} and ${visibleTo(viewer, posts.creatorId) ?? true}
    returning total_likes as "totalLikes", creator_id as "creatorId", (select id from removed) as "likeId"`);
  return { ...firstOrNotFound(rows), liked: false };
}

/** Likes a post or takes that back, and announces the new total to the others. */
export async function setLike(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  postId: string,
  liked: boolean,
): Promise<Likes> {
  const { likeId, ...likes } = await (liked ? likePost : unlikePost)(database, viewer, postId);
  announceLikes(bus, postId, likes);
  if (likeId !== null) announceOwn(bus, viewer, { collection: 'likedPosts', id: likeId }, liked);
  return likes;
}

/** The true count, and whether the viewer is in it. */
export async function countLikes(database: Database, viewer: Viewer, postId: string): Promise<Likes> {
  const [likes] = await database
    .select({
      totalLikes: posts.totalLikes,
      creatorId: posts.creatorId,
      liked: sql<boolean>`exists (${database
        .select({ one: sql`1` })
        .from(postLikes)
        .where(and(eq(postLikes.whoLiked, viewer.profileId), eq(postLikes.postId, posts.id)))})`,
    })
    .from(posts)
    .where(eq(posts.id, postId));
  if (!likes) throw new Problem('post_not_found');
  requireVisible(viewer, likes.creatorId, 'post_not_found');
  return likes;
}

/** Saves a post. @throws Problem `post_already_saved`, which creates nothing (§5); `post_not_found` */
export async function savePost(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  postId: string,
): Promise<void> {
  const { profileId } = viewer;
  const statement = sql`
    insert into ${saves} (id, user_id, post_id)
    select ${saveIds.make(profileId, postId)}, ${profileId}, ${posts.id} from ${posts}
    where ${and(eq(posts.id, postId), visibleTo(viewer, posts.creatorId))} returning id`;
  const saved = await saveIds
    .write(() => database.execute<{ id: string }>(statement))
    .catch(refuseAs({ saves_pkey: 'post_already_saved', saves_post_id_fkey: 'post_not_found' }));
  announceOwn(bus, viewer, { collection: 'saves', id: firstOrNotFound(saved).id }, true);
}

/** Removes a saved post from the viewer's; again changes nothing. */
export async function unsavePost(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  postId: string,
): Promise<void> {
  const [gone] = await database
    .delete(saves)
    .where(and(eq(saves.userId, viewer.profileId), eq(saves.postId, postId)))
    .returning({ id: saves.id });
  if (gone) announceOwn(bus, viewer, { collection: 'saves', id: gone.id }, false);
}

/**
 * Members who like the viewer's own post, last like first, 20 a page.
 * @throws Problem `post_not_found`; `user_unauthorized` for another's post: likes are private (decisions §2)
 */
export async function listLikers(
  database: Database,
  viewer: Viewer,
  postId: string,
  cursor: string | undefined,
): Promise<PageOf<Person>> {
  const { where, orderBy } = keyset(postLikes.createdAt, postLikes.whoLiked, readCursor(cursor), 'desc');
  const rows = await database
    .select({
      creatorId: posts.creatorId,
      likedAt: postLikes.createdAt,
      person: personColumns(profiles),
      picture: pictureColumns(files),
    })
    .from(posts)
    .leftJoin(
      postLikes,
      and(
        eq(postLikes.postId, posts.id),
        eq(posts.creatorId, viewer.profileId),
        visibleTo(viewer, postLikes.whoLiked),
        where,
      ),
    )
    .leftJoin(profiles, eq(profiles.id, postLikes.whoLiked))
    .leftJoin(files, eq(files.id, profiles.imageId))
    .where(eq(posts.id, postId))
    .orderBy(...orderBy)
    .limit(pageSize.likers + 1);
  const [first] = rows;
  if (!first) throw new Problem('post_not_found');
  requireVisible(viewer, first.creatorId, 'post_not_found');
  if (!postCan.seeLikers(viewer, first)) throw new Problem('user_unauthorized');
  const likers = rows.flatMap(({ likedAt, person, picture }) =>
    likedAt && person ? { likedAt, person, picture } : [],
  );
  return presentPage(
    likers,
    pageSize.likers,
    ({ person, picture }) => presentPerson(person, picture),
    ({ likedAt, person }) => ({ at: likedAt, id: person.id }),
  );
}
