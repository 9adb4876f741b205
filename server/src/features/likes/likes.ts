import type { Likes } from '@tara/contract/posts/likes';
import type { ProblemType } from '@tara/contract/problems';
import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type StoredRow, wholeRow } from '../../platform/database/columns.ts';
import { type CompositeIds, compositeIds } from '../../platform/database/composite-id.ts';
import type { Database } from '../../platform/database/connect.ts';
import { lastRow, ownChange } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { visibleTo } from '../visibility/index.ts';

type LikeContext = Pick<Platform, 'database' | 'bus'>;

/** Records that members like, and their likes. A trigger of the likes keeps `totalLikes`. */
interface LikedRecords {
  collection: 'posts' | 'reviews';
  table: PgTable & { id: PgColumn; totalLikes: PgColumn };
  /** Profile ids of the members whom a record shows, its author first. */
  members: readonly [PgColumn, ...PgColumn[]];
  likes: {
    collection: 'likedPosts' | 'likedReviews';
    table: PgTable & { id: PgColumn; whoLiked: PgColumn; createdAt: PgColumn };
    /** The column of the record. */
    subject: PgColumn;
    /** The unique index on the member and the id. */
    index: string;
  };
  /** Of a record that is not there, or is hidden from the viewer. */
  problem: ProblemType;
}

/** What members do with likes of records of one kind. */
export interface Likeable {
  records: LikedRecords;
  /** Ids of likes. */
  ids: CompositeIds;
  /** The condition of a member's like, beside its record. */
  likedBy(profileId: string | Placeholder): SQL | undefined;
  /**
   * Likes a record, or takes that back; again changes nothing. The new total is announced to the others.
   * @throws Problem that the record is not there, which changes nothing
   */
  set(context: LikeContext, viewer: Viewer, recordId: string, liked: boolean): Promise<Likes>;
  /** The stored total, and whether the viewer is in it. @throws Problem that the record is not there */
  count(context: Pick<Platform, 'database'>, viewer: Viewer, recordId: string): Promise<Likes>;
}

/** A record whose likes a member changes, as it was before. */
interface LockedRecord extends Record<string, unknown> {
  totalLikes: number;
  memberIds: [string, ...string[]];
  /** Of the like that came or went. */
  likeId: string | null;
  /** The like that went. */
  goneLike: StoredRow | null;
}

/** Makes records likeable, each by a member once. */
export function likeable(records: LikedRecords): Likeable {
  const { collection, table, members, likes, problem } = records;
  const { table: likeTable, subject, index } = likes;
  const ids = compositeIds({ table: likeTable, owner: likeTable.whoLiked, subject, index });
  const likedBy = (profileId: string | Placeholder) =>
    and(eq(likeTable.whoLiked, profileId), eq(subject, table.id));
  const visible = (viewer: Viewer, recordId: string) =>
    and(eq(table.id, recordId), visibleTo(viewer, ...members));

  /**
   * In one statement: locks the record, so that its total is the newest and it is not deleted meanwhile, and changes its
   * likes by `change`, which returns the id of the like, and the like where it goes.
   */
  async function changeLikes(database: Database, viewer: Viewer, recordId: string, change: SQL) {
    const [record] = await database.execute<LockedRecord>(sql`
      with record as materialized (
        select ${table.id} as id, ${table.totalLikes} as total, array[${sql.join([...members], sql`, `)}] as members
        from ${table} where ${visible(viewer, recordId)} for no key update),
      changed as (${change})
      select total as "totalLikes", members as "memberIds", (select id from changed) as "likeId",
        (select gone from changed) as "goneLike" from record`);
    if (record === undefined) throw new Problem(problem);
    return record;
  }

  const addition = ({ profileId }: Viewer, recordId: string) => sql`
    insert into ${likeTable} (id, who_liked, ${sql.identifier(subject.name)})
    select ${ids.make(profileId, recordId)}, ${profileId}, record.id from record
    on conflict (who_liked, ${sql.identifier(subject.name)}) do nothing returning id, null::jsonb as gone`;

  const removal = ({ profileId }: Viewer) => sql`
    delete from ${likeTable} where ${eq(likeTable.whoLiked, profileId)} and ${subject} = (select id from record)
    returning id, ${wholeRow(likeTable)} as gone`;

  async function count({ database }: Pick<Platform, 'database'>, viewer: Viewer, recordId: string) {
    const [counted] = await database
      .select({ totalLikes: table.totalLikes, liked: sql<boolean>`${subject} is not null` })
      .from(table as PgTable)
      .leftJoin(likeTable, likedBy(viewer.profileId))
      .where(visible(viewer, recordId));
    if (!counted) throw new Problem(problem);
    return { totalLikes: Number(counted.totalLikes), liked: counted.liked };
  }

  return {
    records,
    ids,
    likedBy,
    async set({ database, bus }, viewer, recordId, liked) {
      const { memberIds, likeId, goneLike, ...before } = await (liked
        ? ids.write(() => changeLikes(database, viewer, recordId, addition(viewer, recordId)))
        : changeLikes(database, viewer, recordId, removal(viewer)));
      let totalLikes = before.totalLikes + (likeId === null ? 0 : liked ? 1 : -1);
      // A total that was wrong is counted again by the trigger.
      if (totalLikes < 0) ({ totalLikes } = await count({ database }, viewer, recordId));
      bus.publish('document', {
        ...{ collection, id: recordId, change: 'update', document: { id: recordId, totalLikes } },
        ...{ audience: 'members', owners: { profileIds: memberIds, authorId: memberIds[0] } },
      });
      if (likeId !== null) {
        const like = { collection: likes.collection, id: likeId };
        bus.publish(
          'document',
          goneLike === null
            ? ownChange(viewer, { ...like, change: 'create' })
            : ownChange(viewer, { ...like, change: 'delete', last: lastRow(likeTable, goneLike) }),
        );
      }
      return { totalLikes, liked };
    },
    count,
  };
}
