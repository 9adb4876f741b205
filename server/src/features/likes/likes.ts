import { nowMs } from '@tara/contract/clock';
import { countLimit, likesIntervalMs } from '@tara/contract/limits';
import type { Likes } from '@tara/contract/posts/likes';
import type { ProblemType } from '@tara/contract/problems';
import { and, desc, eq, gt, ne, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type StoredRow, wholeRow } from '../../platform/database/columns.ts';
import { type CompositeIds, compositeIds } from '../../platform/database/composite-id.ts';
import type { Transaction } from '../../platform/database/connect.ts';
import { lastRow, ownChange } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import type { tasks } from '../../platform/tasks.ts';
import { isClosedMember, notifyGroup } from '../notifications/index.ts';
import { hiddenMembers, mutes, visibleTo } from '../visibility/index.ts';

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
  /** By which its author is notified of likes, and the job that does it. */
  event: 'postLiked' | 'reviewLiked';
  task: typeof tasks.notifyPostLikes | typeof tasks.notifyReviewLikes;
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
  /**
   * Brings the notification of a record's author to its likes, but for the author's own, and those of members who are hidden from
   * the author, muted, suspended or banned. The job of each like; repeating it changes nothing.
   */
  notifyAuthor(context: LikeContext, recordId: string): Promise<void>;
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
  const { collection, table, members, likes, event, task, problem } = records;
  const { table: likeTable, subject, index } = likes;
  const ids = compositeIds({ table: likeTable, owner: likeTable.whoLiked, subject, index });
  const likedBy = (profileId: string | Placeholder) =>
    and(eq(likeTable.whoLiked, profileId), eq(subject, table.id));
  const visible = (viewer: Viewer, recordId: string) =>
    and(eq(table.id, recordId), visibleTo(viewer, ...members));

  /** The condition of likes by members whom the author sees and did not mute, and who may use Tara. */
  const isSeenBy = (authorId: string) => sql`not exists (
      select from ${hiddenMembers} where ${hiddenMembers.viewerId} = ${authorId} and ${hiddenMembers.profileId} = ${likeTable.whoLiked})
    and not exists (select from ${mutes} where ${mutes.muterId} = ${authorId} and ${mutes.mutedId} = ${likeTable.whoLiked})
    and not ${isClosedMember(likeTable.whoLiked)}`;

  /**
   * In one statement: locks the record, so that its total is the newest and it is not deleted meanwhile, and changes its
   * likes by `change`, which returns the id of the like, and the like where it goes. Its author is notified later.
   */
  async function changeLikes(transaction: Transaction, viewer: Viewer, recordId: string, change: SQL) {
    const [record] = await transaction.execute<LockedRecord>(sql`
      with record as materialized (
        select ${table.id} as id, ${table.totalLikes} as total, array[${sql.join([...members], sql`, `)}] as members
        from ${table} where ${visible(viewer, recordId)} for no key update),
      changed as (${change})
      select total as "totalLikes", members as "memberIds", (select id from changed) as "likeId",
        (select gone from changed) as "goneLike" from record`);
    if (record === undefined) throw new Problem(problem);
    // However many like it, its author is notified at most once in an interval.
    if (record.likeId !== null && record.memberIds[0] !== viewer.profileId)
      await task.enqueue(
        transaction,
        { recordId },
        { runAt: new Date(nowMs() + likesIntervalMs), keepsTime: true },
      );
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
      const change = () =>
        database.transaction((transaction) =>
          changeLikes(transaction, viewer, recordId, liked ? addition(viewer, recordId) : removal(viewer)),
        );
      const { memberIds, likeId, goneLike, ...before } = await (liked ? ids.write(change) : change());
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
    notifyAuthor: ({ database, bus }, recordId) =>
      database.transaction(async (transaction) => {
        // Of two jobs at once the second sees what the first wrote.
        const [record] = await transaction
          .select({ authorId: members[0] })
          .from(table as PgTable)
          .where(eq(table.id, recordId))
          .for('no key update');
        if (!record) return;
        const profileId = String(record.authorId);
        await notifyGroup(transaction, { bus }, { event, profileId, recordId }, async (since) => {
          const rows = await transaction
            .select({ actorId: likeTable.whoLiked, at: likeTable.createdAt })
            .from(likeTable as PgTable)
            .where(
              and(
                eq(subject, recordId),
                gt(likeTable.createdAt, since),
                ne(likeTable.whoLiked, profileId),
                isSeenBy(profileId),
              ),
            )
            .orderBy(desc(likeTable.createdAt), desc(likeTable.whoLiked))
            .limit(countLimit + 1);
          const [newest] = rows;
          if (newest === undefined) return null;
          return { actorId: String(newest.actorId), at: newest.at as Date, others: rows.length - 1 };
        });
      }),
  };
}
