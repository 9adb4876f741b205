import { reviews as calls } from '@tara/contract/plans/reviews';
import { and, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { reviewTest } from '../../testing/features/reviews.ts';
import { reviewLikes } from './tables.ts';

const test = reviewTest.extend(
  'likes',
  { scope: 'file' },
  ({ server }) =>
    async (who: Member, call: 'like' | 'unlike' | 'updateLikes', reviewId: string, totalLikes?: number) =>
      (await server.call(who, calls[call], { body: { reviewId, totalLikes } })).reply,
);

test('a like counts once, is one record with the composite id, and shows to its member alone', async ({
  database,
  server,
  creator,
  stranger,
  publish,
  likes,
}) => {
  const { id } = await publish();
  expect(await likes(stranger, 'like', id)).toEqual({ status: 'ok', totalLikes: 1, liked: true });
  expect(await likes(stranger, 'like', id)).toMatchObject({ totalLikes: 1 });
  const rows = await database.select().from(reviewLikes).where(eq(reviewLikes.reviewId, id));
  expect(rows).toMatchObject([
    { id: stranger.profileId.slice(0, 8) + id.slice(0, 8), whoLiked: stranger.profileId },
  ]);
  const get = async (who: Member) => (await server.call(who, calls.get, { params: { id } })).reply;
  expect(await get(stranger)).toMatchObject({ totalLikes: 1, liked: true });
  expect(await get(creator)).toMatchObject({ totalLikes: 1, liked: false });
  const list = await server.call(stranger, calls.byOwner, {
    params: { id: creator.profileId },
    query: {},
  });
  expect(list.reply.items.find((review) => review.id === id)).toMatchObject({ liked: true });
  expect(await likes(stranger, 'unlike', id)).toEqual({ status: 'ok', totalLikes: 0, liked: false });
  expect(await likes(stranger, 'unlike', id)).toMatchObject({ totalLikes: 0 });
});

test('updateLikes answers the derived count, whatever total is sent (§7-api-review-likes)', async ({
  stranger,
  creator,
  publish,
  likes,
}) => {
  const { id } = await publish();
  await likes(stranger, 'like', id, 500);
  expect(await likes(creator, 'updateLikes', id, 500)).toEqual({
    status: 'ok',
    totalLikes: 1,
    liked: false,
  });
});

test('likes sent at once are all counted, and removed rows leave the count', async ({
  database,
  publish,
  likes,
}) => {
  const { id } = await publish();
  const members = await Promise.all(Array.from({ length: 8 }, () => insertMember(database)));
  await Promise.all([...members, ...members].map((member) => likes(member, 'like', id)));
  const [one] = members;
  if (!one) throw new Error('no member');
  expect(await likes(one, 'updateLikes', id)).toMatchObject({ totalLikes: 8 });
  await database
    .delete(reviewLikes)
    .where(and(eq(reviewLikes.reviewId, id), eq(reviewLikes.whoLiked, one.profileId)));
  expect(await likes(one, 'updateLikes', id)).toMatchObject({ totalLikes: 7, liked: false });
});

test('others receive the new total of a review’s likes alone', async ({
  platform,
  stranger,
  publish,
  likes,
}) => {
  const { id } = await publish();
  await likes(stranger, 'like', id);
  const event = platform.announced.findLast((change) => change.id === id);
  expect(event).toMatchObject({ collection: 'reviews', change: 'update', audience: 'members' });
  expect(event?.document).toEqual({ id, totalLikes: 1 });
});

test.for(['like', 'unlike', 'updateLikes'] as const)(
  '%s of no review is refused, as is a missing id',
  async (call, { server, stranger }) => {
    const send = (body: object) => server.call(stranger, calls[call], { body });
    expect((await send({ reviewId: 'nothing' })).problem.type).toBe('review_not_found');
    expect((await send({})).problem).toMatchObject({ code: 400, fields: { reviewId: expect.any(String) } });
  },
);
