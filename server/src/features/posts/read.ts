import { pageSize } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import type { Post } from '@tara/contract/posts';
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import { type Cursor, keyset, presentPage, readCursor } from '../../platform/cursor.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { prepareRead, statementOf } from '../../platform/database/prepared.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { files, pictureColumns } from '../files/index.ts';
import { personColumns, profiles } from '../profiles/index.ts';
import {
  contentVisibleTo,
  requireVisible,
  viewerPlaceholders,
  visibilityValues,
} from '../visibility/index.ts';
import { type PostRow, presentPost } from './present.ts';
import { postLikes, posts, saves } from './tables.ts';

const creatorPicture = alias(files, 'creator_picture');
const picture = alias(files, 'picture');
const viewer = sql.placeholder('viewer');

/** The picture is joined, so its id is not read twice. */
const { imageId: _imageId, ...shown } = getTableColumns(posts);

const selection = {
  post: shown,
  creator: personColumns(profiles),
  creatorPicture: pictureColumns(creatorPicture),
  picture: pictureColumns(picture),
  liked: sql<boolean>`${postLikes.postId} is not null`,
  saved: sql<boolean>`${saves.postId} is not null`,
};

/** A post with all that is shown of it, in one statement; a post without its creator is none (§7). */
function selectPosts(database: Database | Transaction) {
  return (
    database
      .select(selection)
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

/** A list's statement, newest first by `time`: its first page, or with `after` the page after `at` and `id`. */
function listQuery(database: Database, time: PgColumn, size: number, after: boolean, condition?: SQL) {
  const cursor = after ? { at: sql.placeholder('at'), id: sql.placeholder('id') } : null;
  const { where, orderBy } = keyset(time, posts.id, cursor, 'desc');
  return selectPosts(database)
    .where(and(condition, contentVisibleTo(viewerPlaceholders, posts.creatorId), where))
    .orderBy(...orderBy)
    .limit(size + 1);
}

/**
 * The home feed's statement; the first page has no place to start after. Placeholders: `viewer` (a profile's id), those
 * of `visibilityValues`, and with `after` also `at` (ISO time) and `id`.
 */
export function feedQuery(database: Database, { after }: { after: boolean } = { after: false }) {
  return listQuery(database, posts.updatedAt, pageSize.feed, after);
}

/** The feed's first page as it is sent to Postgres, for what measures it. */
export const feedStatement = (database: Database) => {
  const query = feedQuery(database);
  return statementOf({ toSQL: () => query.toSQL() });
};

type Read = (values: Record<string, string>) => Promise<PostRow[]>;

type PostViewer = Pick<Viewer, 'profileId' | 'hiddenProfileIds' | 'mutedProfileIds'>;

/** Reads a list by one of two prepared statements: the first page, or the page after a cursor. */
function pagedBy(first: Read, following: Read, size: number, place: (row: PostRow) => Cursor) {
  return async (
    viewer: PostViewer,
    cursor: string | undefined,
    more: Record<string, string> = {},
  ): Promise<PageOf<Post>> => {
    const after = readCursor(cursor);
    const values = { viewer: viewer.profileId, ...visibilityValues(viewer), ...more };
    const rows = after
      ? await following({ ...values, at: after.at.toISOString(), id: after.id })
      : await first(values);
    return presentPage(rows, size, presentPost, place);
  };
}

const byUpdate = ({ post }: PostRow): Cursor => ({ at: post.updatedAt, id: post.id });
const byCreation = ({ post }: PostRow): Cursor => ({ at: post.createdAt, id: post.id });

/** The reads of posts, each prepared once. */
export function postReads(database: Database) {
  const isByCreator = eq(posts.creatorId, sql.placeholder('creator'));
  const list = (size: number, after: boolean, condition?: SQL) =>
    prepareRead(database, selection, listQuery(database, posts.createdAt, size, after, condition));
  const one = prepareRead(database, selection, postQuery(database));
  const byCreator = pagedBy(
    list(pageSize.profilePosts, false, isByCreator),
    list(pageSize.profilePosts, true, isByCreator),
    pageSize.profilePosts,
    byCreation,
  );
  return {
    /** By last update (§7). */
    feed: pagedBy(
      prepareRead(database, selection, feedQuery(database)),
      prepareRead(database, selection, feedQuery(database, { after: true })),
      pageSize.feed,
      byUpdate,
    ),
    /** By creation (§7). */
    recent: pagedBy(list(pageSize.recent, false), list(pageSize.recent, true), pageSize.recent, byCreation),
    /** One member's, newest first. */
    byCreator: (viewer: PostViewer, creatorId: string, cursor: string | undefined) =>
      byCreator(viewer, cursor, { creator: creatorId }),
    /** @throws Problem `post_not_found` */
    one: async (viewer: PostViewer, id: string): Promise<Post> => {
      const post = only(await one({ viewer: viewer.profileId, post: id }));
      requireVisible(viewer, post.creatorId, 'post_not_found');
      return post;
    },
  };
}

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
