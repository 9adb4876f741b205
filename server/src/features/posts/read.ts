import { pageSize, quickSearch } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import type { Post } from '@tara/contract/posts/posts';
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { keyset, readPage } from '../../platform/cursor.ts';
import { jsonObject } from '../../platform/database/columns.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { compileStatement, prepareRead } from '../../platform/database/prepared.ts';
import { bestHits } from '../../platform/database/search.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { files, type PictureRow, pictureColumns } from '../files/index.ts';
import { type PersonRow, personColumns, profiles } from '../profiles/index.ts';
import {
  contentVisibleTo,
  requireVisible,
  unplannedViewer,
  viewerPlaceholders,
  visibilityValues,
} from '../visibility/index.ts';
import { likeablePosts } from './likes.ts';
import { type PostRow, presentPost } from './present.ts';
import { postLikes, postPopularity, postSearch, posts, saves } from './tables.ts';

const creatorPicture = alias(files, 'creator_picture');
const picture = alias(files, 'picture');
const viewer = sql.placeholder('viewer');

/** The picture is joined, so its id is not read twice; a search joins by the number. */
const { imageId: _imageId, number: _number, ...shown } = getTableColumns(posts);

/** A column that a list is sorted by. */
type Time = typeof posts.createdAt | typeof saves.createdAt | typeof postPopularity.popularAt;

/** What is read of a post in a list that is sorted by `time`. */
const selectionBy = (time: Time) => ({
  post: shown,
  listedAt: sql<string>`${time}`,
  creator: personColumns(profiles),
  creatorPicture: pictureColumns(creatorPicture),
  picture: pictureColumns(picture),
  liked: sql<boolean>`${postLikes.postId} is not null`,
  saved: sql<boolean>`${saves.postId} is not null`,
});
const selection = selectionBy(posts.createdAt);

/** A post with all that is shown of it, in one statement; a post without its creator is none (§7). */
function selectPosts(database: Database | Transaction, time: Time = posts.createdAt) {
  return (
    database
      .select(selectionBy(time))
      .from(posts)
      .innerJoin(profiles, eq(profiles.id, posts.creatorId))
      .leftJoin(creatorPicture, eq(creatorPicture.id, profiles.imageId))
      .leftJoin(picture, eq(picture.id, posts.imageId))
      // At most one row each: the keys are (who_liked, post_id) and (user_id, post_id).
      .leftJoin(postLikes, likeablePosts.likedBy(viewer))
      .leftJoin(saves, and(eq(saves.userId, viewer), eq(saves.postId, posts.id)))
      .$dynamic()
  );
}

/** A list's statement, newest first by `time`: its first page, or with `after` the page after `at` and `id`. */
function listQuery(database: Database, time: Time, size: number, after: boolean, condition?: SQL) {
  const cursor = after ? { at: sql.placeholder('at'), id: sql.placeholder('id') } : null;
  const { where, orderBy } = keyset(time, listIds.get(time) ?? posts.id, cursor, 'desc');
  const query = selectPosts(database, time);
  if (time === postPopularity.popularAt) query.innerJoin(postPopularity, eq(postPopularity.postId, posts.id));
  return query
    .where(and(condition, contentVisibleTo(viewerPlaceholders, posts.creatorId), where))
    .orderBy(...orderBy)
    .limit(size + 1);
}

/** The id beside the time in the index of a list, when it is not of the posts' own. */
const listIds = new Map<Time, typeof saves.postId | typeof postPopularity.postId>([
  [saves.createdAt, saves.postId],
  [postPopularity.popularAt, postPopularity.postId],
]);

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
  return compileStatement({ toSQL: () => query.toSQL() });
};

type Read = (values: Record<string, string>) => Promise<PostRow[]>;

type PostViewer = Pick<Viewer, 'profileId' | 'hiddenProfileIds' | 'mutedProfileIds'>;

/** Reads a list by one of two prepared statements: the first page, or the page after a cursor. */
function pagedBy(first: Read, following: Read, size: number) {
  return (
    viewer: PostViewer,
    cursor: string | undefined,
    more: Record<string, string> = {},
  ): Promise<PageOf<Post>> => {
    const values = { viewer: viewer.profileId, ...visibilityValues(viewer), ...more };
    return readPage(cursor, {
      size,
      read: ({ after }) =>
        after ? following({ ...values, at: after.at.toISOString(), id: after.id }) : first(values),
      present: presentPost,
      toCursor: ({ listedAt, post }) => ({ at: new Date(listedAt), id: post.id }),
    });
  };
}

/** The reads of posts, each prepared once. */
export function postReads(database: Database) {
  const list = (time: Time, size: number, condition?: SQL) => {
    const page = (after: boolean) =>
      prepareRead(database, selectionBy(time), listQuery(database, time, size, after, condition));
    return pagedBy(page(false), page(true), size);
  };
  const one = prepareRead(database, selection, postQuery(database));
  const hits = prepareRead(database, selection, searchQuery(database));
  const byCreator = list(
    posts.createdAt,
    pageSize.profilePosts,
    eq(posts.creatorId, sql.placeholder('creator')),
  );
  return {
    /** By last update (§7). */
    feed: list(posts.updatedAt, pageSize.feed),
    /** By creation (§7). */
    recent: list(posts.createdAt, pageSize.recent),
    /** By likes, the newer the more they count (decision 0034). */
    popular: list(postPopularity.popularAt, pageSize.popular),
    /** Those the viewer saved, last saved first. */
    saved: list(saves.createdAt, pageSize.saved, eq(saves.userId, viewer)),
    /** One member's, newest first. */
    byCreator: (viewer: PostViewer, creatorId: string, cursor: string | undefined) =>
      byCreator(viewer, cursor, { creator: creatorId }),
    /** Those with all words of a text, the best first (decision 0034). */
    search: async (viewer: PostViewer, search: string): Promise<{ items: Post[] }> => {
      const rows = await hits({ viewer: viewer.profileId, ...visibilityValues(viewer), search });
      return { items: rows.map(presentPost) };
    },
    /** @throws Problem `post_not_found` */
    one: async (viewer: PostViewer, id: string): Promise<Post> => {
      const post = only(await one({ viewer: viewer.profileId, post: id }));
      requireVisible(viewer, post.creatorId, 'post_not_found');
      return post;
    },
  };
}

/** A post as a row of a short list. */
export interface ForemostPost {
  id: string;
  caption: string;
  creator: PersonRow;
  creatorPicture: PictureRow | null;
  picture: PictureRow | null;
}

/** The best few posts for the placeholder `search`, as JSON, each with the beginning of its caption: part of a prepared statement. */
export function foremostPosts(count: number): SQL<ForemostPost[]> {
  const best = foundPosts(count);
  const jsonOf = (table: typeof picture | typeof creatorPicture) =>
    sql`case when ${table.id} is not null then ${jsonObject(pictureColumns(table))} end`;
  return sql`(
    select coalesce(json_agg(json_build_object(
      'id', ${posts.id}, 'caption', left(${posts.caption}, ${sql.raw(String(quickSearch.captionLength))}),
      'creator', ${jsonObject(personColumns(profiles))},
      'creatorPicture', ${jsonOf(creatorPicture)}, 'picture', ${jsonOf(picture)}
    ) order by ${sql.join(best.order, sql`, `)}), '[]')
    from ${posts} join ${best.table} on ${posts.number} = ${best.number}
    join ${profiles} on ${profiles.id} = ${posts.creatorId}
    left join ${files} as ${creatorPicture} on ${creatorPicture.id} = ${profiles.imageId}
    left join ${files} as ${picture} on ${picture.id} = ${posts.imageId})`;
}

const foundPosts = (count?: number) =>
  bestHits(
    postSearch,
    posts,
    sql.placeholder('search'),
    contentVisibleTo(unplannedViewer, postSearch.creatorId),
    count,
  );

/** The best posts for the placeholder `search`, each with all that is shown of it; others as of `feedQuery`. */
function searchQuery(database: Database) {
  const best = foundPosts();
  return selectPosts(database)
    .innerJoin(best.table, eq(posts.number, best.number))
    .orderBy(...best.order);
}

const postQuery = (database: Database | Transaction) =>
  selectPosts(database).where(eq(posts.id, sql.placeholder('post')));

function only([row]: PostRow[]): Post {
  if (!row) throw new Problem('post_not_found');
  return presentPost(row);
}

/** One post as its transaction sees it, or as it is now. @throws Problem `post_not_found` */
export async function readPost(
  database: Database | Transaction,
  viewerId: string,
  id: string,
): Promise<Post> {
  return only(await postQuery(database).prepare('post_one_written').execute({ viewer: viewerId, post: id }));
}
