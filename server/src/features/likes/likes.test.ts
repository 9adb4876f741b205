import { reviews as reviewCalls } from '@tara/contract/plans/reviews';
import { posts as postCalls } from '@tara/contract/posts/posts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { insertBlock, insertMember, type Member } from '../../testing/features/members.ts';
import { reviewRoutesTest } from '../../testing/features/reviews.ts';
import { likeablePosts, postRoutes, posts } from '../posts/index.ts';
import { likeableReviews } from '../reviews/index.ts';

type LikeCall = 'like' | 'unlike' | 'updateLikes';

const test = reviewRoutesTest((app, platform) => postRoutes(app, platform))
  .extend('likers', { scope: 'file' }, ({ database }) =>
    Promise.all(Array.from({ length: 8 }, () => insertMember(database))),
  )
  .extend('kinds', { scope: 'file' }, ({ database, server, creator, publish }) => ({
    posts: {
      add: async () => {
        const id = newId();
        await database.insert(posts).values({ id, creatorId: creator.profileId, usedDp: true });
        return id;
      },
      send: (who: Member, call: LikeCall, postId: string) =>
        server.call(who, postCalls[call], { body: { postId } }),
    },
    reviews: {
      add: async () => (await publish()).id,
      send: (who: Member, call: LikeCall, reviewId: string) =>
        server.call(who, reviewCalls[call], { body: { reviewId } }),
    },
  }));

describe.each([
  ['posts', likeablePosts],
  ['reviews', likeableReviews],
] as const)('likes of %s', (kind, likeable) => {
  const { table, likes, problem } = likeable.records;

  test('many likes and unlikes at once leave a total that is the number of likes', async ({
    database,
    likers,
    kinds,
  }) => {
    const { add, send } = kinds[kind];
    const [id, other] = [await add(), await add()];
    for (let round = 0; round < 3; round++) {
      const replies = await Promise.all(
        likers.flatMap((who, index) =>
          Array.from({ length: 6 }, (_, turn) =>
            send(who, (turn + index + round) % 3 === 0 ? 'unlike' : 'like', turn === 5 ? other : id),
          ),
        ),
      );
      for (const { status, reply } of replies) {
        expect(status).toBe(200);
        expect(reply.totalLikes).toBeGreaterThanOrEqual(0);
        expect(reply.totalLikes).toBeLessThanOrEqual(likers.length);
      }
      for (const recordId of [id, other]) {
        const [record] = await database.select().from(table).where(eq(table.id, recordId));
        const count = await database.$count(likes.table, eq(likes.subject, recordId));
        expect(record?.totalLikes).toBe(count);
      }
    }
  });

  test('a like that is repeated announces no other record of it', async ({ platform, likers, kinds }) => {
    const { add, send } = kinds[kind];
    const [id, [who]] = [await add(), likers as [Member]];
    const changes = async (call: LikeCall) => {
      const from = platform.announced.length;
      await send(who, call, id);
      return platform.announced
        .slice(from)
        .flatMap(({ collection, change }) => (collection === likes.collection ? [change] : []));
    };
    expect(await changes('like')).toEqual(['create']);
    expect(await changes('like')).toEqual([]);
    expect(await changes('unlike')).toEqual(['delete']);
    expect(await changes('unlike')).toEqual([]);
  });

  test('each of several likes at once answers the total that it made', async ({ likers, kinds }) => {
    const { add, send } = kinds[kind];
    const id = await add();
    const replies = await Promise.all(likers.map((who) => send(who, 'like', id)));
    const totals = replies.map(({ reply }) => reply.totalLikes).sort();
    expect(totals).toEqual(likers.map((_, index) => index + 1));
  });

  test('the author is notified of them a minute after the first, however many come until then', async ({
    database,
    likers,
    kinds,
  }) => {
    const { add, send } = kinds[kind];
    const id = await add();
    const due = async () => {
      const [job] = await database.execute<{ seconds: number }>(sql`
        select extract(epoch from run_at - now())::float8 as seconds from graphile_worker.jobs
        where task_identifier = ${`${kind}.notifyLikes`} and key like ${`%${id}%`}`);
      return job?.seconds;
    };
    await send(likers[0] as Member, 'like', id);
    const first = await due();
    expect(first).toBeGreaterThan(30);
    expect(first).toBeLessThanOrEqual(60);
    await send(likers[1] as Member, 'like', id);
    expect(await due()).toBeLessThan(Number(first));
  });

  test('a total that is less than the likes is counted again when one is taken back', async ({
    database,
    likers,
    kinds,
  }) => {
    const { add, send } = kinds[kind];
    const id = await add();
    const [one, two, three] = likers as [Member, Member, Member];
    for (const who of [one, two, three]) await send(who, 'like', id);
    await database.update(table).set({ totalLikes: 0 }).where(eq(table.id, id));
    const { status, reply } = await send(one, 'unlike', id);
    expect([status, reply]).toEqual([200, { status: 'ok', totalLikes: 2, liked: false }]);
    expect((await send(two, 'updateLikes', id)).reply).toEqual({ status: 'ok', totalLikes: 2, liked: true });
  });

  test('of somebody who is hidden nothing is liked or taken back', async ({
    database,
    likers,
    creator,
    stranger,
    kinds,
  }) => {
    const { add, send } = kinds[kind];
    const id = await add();
    const who = await insertMember(database);
    await send(who, 'like', id);
    await send(stranger, 'like', await add());
    await insertBlock(database, creator, who);
    for (const call of ['like', 'unlike', 'updateLikes'] as const)
      expect((await send(who, call, id)).problem.type).toBe(problem);
    expect((await send(stranger, 'updateLikes', id)).reply).toEqual({
      ...{ status: 'ok', totalLikes: 1, liked: false },
    });
    expect(await database.$count(likes.table, eq(likes.subject, id))).toBe(1);
    expect((await send(likers[0] as Member, 'like', id)).reply.totalLikes).toBe(2);
  });

  test('a record that is deleted while it is liked is not found', async ({
    connection,
    database,
    likers,
    kinds,
  }) => {
    const { add, send } = kinds[kind];
    const id = await add();
    const isWaiting = () =>
      connection.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const [liked, unliked] = await database.transaction(async (transaction) => {
      await transaction.delete(table).where(eq(table.id, id));
      const replies = (['like', 'unlike'] as const).map((call, index) =>
        send(likers[index] as Member, call, id),
      );
      // They wait for the end of the deletion.
      await expect.poll(async () => (await isWaiting()).length).toBe(2);
      return replies;
    });
    for (const reply of [liked, unliked]) expect((await reply)?.problem.type).toBe(problem);
    expect(await database.$count(likes.table, eq(likes.subject, id))).toBe(0);
  });

  test('likes that are removed together, of several records, leave the totals', async ({
    database,
    likers,
    stranger,
    kinds,
  }) => {
    const { add, send } = kinds[kind];
    const ids = [await add(), await add()];
    await Promise.all(ids.flatMap((id) => likers.map((who) => send(who, 'like', id))));
    const gone = likers.slice(0, 3).map(({ profileId }) => profileId);
    await database
      .delete(likes.table)
      .where(and(inArray(likes.subject, ids), inArray(likes.table.whoLiked, gone)));
    for (const id of ids) expect((await send(stranger, 'updateLikes', id)).reply.totalLikes).toBe(5);
  });
});
