import { reviews as calls } from '@tara/contract/plans/reviews';
import { drawUuid } from '@tara/contract/random';
import { channel } from '@tara/contract/wire/realtime';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { insertBlock, insertMember, type Member } from '../../testing/features/members.ts';
import { reviewTest } from '../../testing/features/reviews.ts';
import { mutes } from '../visibility/index.ts';
import { reviewComments } from './tables.ts';

const test = reviewTest
  .extend(
    'comment',
    { scope: 'file' },
    ({ server }) =>
      (who: Member, reviewId: string, body: string, more: object = {}) =>
        server.call(who, calls.createComment, {
          body: { reviewId, body, clientKey: drawUuid(), ...more },
        }),
  )
  .extend(
    'list',
    { scope: 'file' },
    ({ server, creator }) =>
      (id: string, cursor?: string) =>
        server.call(creator, calls.comments, { params: { id }, query: cursor ? { cursor } : {} }),
  );

test('every member may comment on a review, and every member reads it (§7-create-comment, §6-comments)', async ({
  server,
  stranger,
  publish,
  comment,
  list,
}) => {
  const { id } = await publish();
  const { reply } = await comment(stranger, id, '  So good!  ');
  expect(reply).toMatchObject({
    comment: { reviewId: id, body: 'So good!', creatorId: stranger.profileId },
    totalComments: 1,
  });
  expect((await list(id)).reply).toEqual({ items: [reply.comment], next: null });
  const review = await server.call(stranger, calls.get, { params: { id } });
  expect(review.reply.totalComments).toBe(1);
});

test('comments come newest first, 10 a page (§7-list-comments)', async ({
  client,
  stranger,
  publish,
  comment,
  list,
}) => {
  const { id } = await publish();
  const ids: string[] = [];
  for (let count = 0; count < 12; count++) {
    const { reply } = await comment(count % 2 ? client : stranger, id, `Comment ${count}`);
    ids.push(reply.comment.id);
  }
  const first = (await list(id)).reply;
  const second = (await list(id, first.next ?? '')).reply;
  expect(first.items).toHaveLength(10);
  expect(second.next).toBeNull();
  const items = [...first.items, ...second.items];
  expect(items.map((item) => item.id).sort()).toEqual(ids.sort());
  const times = items.map(({ createdAt }) => createdAt);
  expect(times).toEqual(times.toSorted().reverse());
  expect((await list(id, 'nonsense')).problem.type).toBe('general_cursor_not_found');
});

test('a member who was blocked finds no review to comment on, also when a stored comment is sent again', async ({
  database,
  client,
  publish,
  comment,
  list,
}) => {
  const { id } = await publish();
  const blocked = await insertMember(database);
  const clientKey = drawUuid();
  const { reply: stored } = await comment(blocked, id, 'So good!', { clientKey });
  await insertBlock(database, client, blocked);
  for (const more of [{ clientKey }, {}])
    expect((await comment(blocked, id, 'So good!', more)).problem.type).toBe('review_not_found');
  expect((await list(id)).reply.items).toEqual([stored.comment]);
});

test('a comment that is sent again, also at once, is stored and announced once', async ({
  database,
  platform,
  client,
  stranger,
  publish,
  comment,
}) => {
  const { id } = await publish();
  const clientKey = drawUuid();
  const answers = await Promise.all([1, 2, 3].map(() => comment(stranger, id, 'Once', { clientKey })));
  expect(new Set(answers.map(({ reply }) => reply.comment.id)).size).toBe(1);
  expect(await database.$count(reviewComments, eq(reviewComments.reviewId, id))).toBe(1);
  const announced = platform.announced.filter(
    ({ collection, document }) => collection === 'reviewComments' && document.reviewId === id,
  );
  expect(announced).toMatchObject([
    { change: 'create', audience: 'members', alsoOn: [channel.document('reviews', id)] },
  ]);
  expect(platform.announced.findLast((change) => change.id === id)?.document).toEqual({
    id,
    totalComments: 1,
  });
  // With the same key, that of another member and that on another review are others.
  const other = await publish();
  const others = [
    await comment(client, id, 'Mine', { clientKey }),
    await comment(stranger, other.id, 'There', { clientKey }),
  ];
  expect(others.map(({ reply }) => [reply.comment.reviewId, reply.comment.body])).toEqual([
    [id, 'Mine'],
    [other.id, 'There'],
  ]);
});

test('its creator deletes a comment, once; nobody else does (§6)', async ({
  server,
  platform,
  creator,
  stranger,
  publish,
  comment,
  list,
}) => {
  const { id } = await publish();
  const first = (await comment(stranger, id, 'First')).reply.comment;
  const second = (await comment(stranger, id, 'Second')).reply.comment;
  const remove = (who: Member) => server.call(who, calls.deleteComment, { body: { commentId: first.id } });
  expect((await remove(creator)).problem.type).toBe('user_unauthorized');
  expect((await list(id)).reply.items).toHaveLength(2);
  expect((await remove(stranger)).reply).toEqual({ status: 'ok' });
  expect((await list(id)).reply.items).toEqual([second]);
  expect((await remove(stranger)).problem.type).toBe('comment_not_found');
  const review = await server.call(stranger, calls.get, { params: { id } });
  expect(review.reply.totalComments).toBe(1);
  expect(platform.announced.find((change) => change.id === first.id && change.change === 'delete')).toEqual(
    expect.objectContaining({ collection: 'reviewComments', audience: 'members' }),
  );
});

test.for([
  ['empty', { body: ' \n ' }, { body: 'Please write something.' }],
  ['1001 characters', { body: 'x'.repeat(1001) }, { body: 'Must be at most 1000 characters.' }],
  ['no text', { body: 5 }, { body: expect.any(String) }],
  ['a key of 7 characters', { clientKey: 'x'.repeat(7) }, { clientKey: expect.any(String) }],
] as const)(
  'refuses a comment that is %s, and stores nothing',
  async ([_name, body, fields], { database, stranger, publish, comment }) => {
    const { id } = await publish();
    const { problem } = await comment(stranger, id, 'Fine', body);
    expect(problem).toMatchObject({ code: 400, fields });
    expect(await database.$count(reviewComments, eq(reviewComments.reviewId, id))).toBe(0);
  },
);

test('there are no comments on a review that does not exist', async ({ stranger, comment, list }) => {
  expect((await comment(stranger, 'nothing', 'Hello')).problem.type).toBe('review_not_found');
  expect((await list('nothing')).problem.type).toBe('review_not_found');
});

test('comments of a blocked or muted member do not appear, nor a review of a hidden member (§7-list-comments)', async ({
  database,
  server,
  creator,
  client,
  stranger,
  publish,
  comment,
  list,
}) => {
  const { id } = await publish();
  const loud = await insertMember(database);
  const reader = await insertMember(database);
  const kind = (await comment(stranger, id, 'Kind')).reply.comment;
  await comment(loud, id, 'Loud');
  const block = (blocker: Member, blocked: Member) => insertBlock(database, blocker, blocked);
  const read = async () =>
    (await server.call(reader, calls.comments, { params: { id }, query: {} })).reply.items;
  expect(await read()).toHaveLength(2);
  await database.insert(mutes).values({ muterId: reader.profileId, mutedId: loud.profileId });
  expect(await read()).toEqual([kind]);
  await database.delete(mutes);
  await block(loud, reader);
  expect(await read()).toEqual([kind]);
  expect((await list(id)).reply.items).toHaveLength(2);

  await block(reader, client);
  const refused = await Promise.all([
    server.call(reader, calls.comments, { params: { id }, query: {} }),
    server.call(reader, calls.get, { params: { id } }),
    server.call(reader, calls.like, { body: { reviewId: id } }),
    server.call(reader, calls.updateLikes, { body: { reviewId: id } }),
    comment(reader, id, 'Hello'),
  ]);
  expect(refused.map(({ problem }) => problem.type)).toEqual(refused.map(() => 'review_not_found'));
  expect((await server.call(creator, calls.get, { params: { id } })).reply).toMatchObject({
    totalLikes: 0,
    totalComments: 2,
  });
});
