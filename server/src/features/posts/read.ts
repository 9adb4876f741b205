import { pageSize } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import type { Post } from '@tara/contract/posts';
import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import { type Cursor, pageOfRows, readCursor } from '../../platform/cursor.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { Problem } from '../../platform/problem.ts';
import { files, pictureColumns } from '../files/index.ts';
import { personColumns, profiles } from '../profiles/index.ts';
import { type PostRow, presentPost } from './present.ts';
import { postLikes, posts, saves } from './tables.ts';

const creatorPicture = alias(files, 'creator_picture');
const picture = alias(files, 'picture');
const viewer = sql.placeholder('viewer');

/** The picture is joined, so its id is not read twice. */
const { imageId: _imageId, ...shown } = getTableColumns(posts);

/** A post with all that is shown of it, in one statement; a post without its creator is none (§7). */
function selectPosts(database: Database | Transaction) {
  return (
    database
      .select({
        post: shown,
        creator: personColumns(profiles),
        creatorPicture: pictureColumns(creatorPicture),
        picture: pictureColumns(picture),
        liked: sql<boolean>`${postLikes.postId} is not null`,
        saved: sql<boolean>`${saves.postId} is not null`,
      })
      .from(posts)
      .innerJoin(profiles, eq(profiles.id, posts.creatorId))
      .leftJoin(creatorPicture, eq(creatorPicture.id, profiles.imageId))
      .leftJoin(picture, eq(picture.id, posts.imageId))
      // At most one row each: the keys are (who_liked, post_id) and (user_id, post_id).
      .leftJoin(postLikes, and(eq(postLikes.whoLiked, viewer), eq(postLikes.postId, posts.id)))
      .leftJoin(saves, and(eq(saves.userId, viewer), eq(saves.postId, posts.id)))
      .$dynamic()
  );
}

/** Rows after the place `at`, `id` in the order newest first by `time`. */
const afterPlace = (time: PgColumn) =>
  sql`(${time}, ${posts.id}) < (${sql.placeholder('at')}::timestamptz, ${sql.placeholder('id')})`;

function listQuery(database: Database, time: PgColumn, size: number, conditions: (SQL | undefined)[]) {
  return selectPosts(database)
    .where(and(...conditions))
    .orderBy(desc(time), desc(posts.id))
    .limit(size + 1);
}

/**
 * The home feed's statement; the first page has no place to start after. Placeholders: `viewer` (a profile's id), and
 * with `after` also `at` (ISO time) and `id`.
 */
export function feedQuery(database: Database, { after }: { after: boolean } = { after: false }) {
  return listQuery(database, posts.updatedAt, pageSize.feed, [
    after ? afterPlace(posts.updatedAt) : undefined,
  ]);
}

type Prepared = { execute(values: Record<string, unknown>): Promise<PostRow[]> };

/** Reads a list by one of two prepared statements: the first page, or the page after a cursor. */
function pagedBy(first: Prepared, following: Prepared, size: number, place: (row: PostRow) => Cursor) {
  return async (viewerId: string, cursor: string | undefined, more: object = {}): Promise<PageOf<Post>> => {
    const after = readCursor(cursor);
    const rows = after
      ? await following.execute({ viewer: viewerId, at: after.at.toISOString(), id: after.id, ...more })
      : await first.execute({ viewer: viewerId, ...more });
    return pageOfRows(rows, size, presentPost, place);
  };
}

const byUpdate = ({ post }: PostRow): Cursor => ({ at: post.updatedAt, id: post.id });
const byCreation = ({ post }: PostRow): Cursor => ({ at: post.createdAt, id: post.id });

/** The reads of posts, each prepared once. */
export function postReads(database: Database) {
  const created = posts.createdAt;
  const ofCreator = eq(posts.creatorId, sql.placeholder('creator'));
  const one = postQuery(database).prepare('post_one');
  const byCreator = pagedBy(
    listQuery(database, created, pageSize.profilePosts, [ofCreator]).prepare('posts_by_creator'),
    listQuery(database, created, pageSize.profilePosts, [ofCreator, afterPlace(created)]).prepare(
      'posts_by_creator_after',
    ),
    pageSize.profilePosts,
    byCreation,
  );
  return {
    /** By last update (§7). */
    feed: pagedBy(
      feedQuery(database).prepare('feed'),
      feedQuery(database, { after: true }).prepare('feed_after'),
      pageSize.feed,
      byUpdate,
    ),
    /** By creation (§7). */
    recent: pagedBy(
      listQuery(database, created, pageSize.recent, []).prepare('posts_recent'),
      listQuery(database, created, pageSize.recent, [afterPlace(created)]).prepare('posts_recent_after'),
      pageSize.recent,
      byCreation,
    ),
    /** One member's, newest first. */
    byCreator: (viewerId: string, creatorId: string, cursor: string | undefined) =>
      byCreator(viewerId, cursor, { creator: creatorId }),
    /** @throws Problem `post_not_found` */
    one: async (viewerId: string, id: string): Promise<Post> =>
      only(await one.execute({ viewer: viewerId, post: id })),
  };
}

export type PostReads = ReturnType<typeof postReads>;

const postQuery = (database: Database | Transaction) =>
  selectPosts(database).where(eq(posts.id, sql.placeholder('post')));

function only([row]: PostRow[]): Post {
  if (!row) throw new Problem('post_not_found');
  return presentPost(row);
}

/** One post as its transaction sees it. @throws Problem `post_not_found` */
export async function readPost(transaction: Transaction, viewerId: string, id: string): Promise<Post> {
  return only(
    await postQuery(transaction).prepare('post_one_written').execute({ viewer: viewerId, post: id }),
  );
}
