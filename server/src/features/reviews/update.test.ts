import { reviews as calls, type Review } from '@tara/contract/plans/reviews';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Member } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { reviewFields, reviewTest } from '../../testing/features/reviews.ts';
import { files } from '../files/index.ts';
import { reviewPhotos, reviews } from './tables.ts';

const test = reviewTest
  .extend(
    'photos',
    { scope: 'file' },
    ({ database, client }) =>
      (count: number) =>
        Promise.all(
          Array.from({ length: count }, () => insertPicture(database, { ownerAccountId: client.accountId })),
        ),
  )
  .extend(
    'edit',
    { scope: 'file' },
    ({ server }) =>
      (who: Member, reviewId: string, more: object = {}) =>
        server.call(who, calls.update, { body: { ...reviewFields, reviewId, ...more } }),
  );

const photoIds = ({ photos }: Review) => photos.map(({ imageId }) => imageId);

test('several photos keep the order in which they were sent (§5-review)', async ({
  server,
  stranger,
  publish,
  photos,
}) => {
  const imageIds = (await photos(5)).toSorted().reverse();
  const review = await publish({ imageIds });
  expect(photoIds(review)).toEqual(imageIds);
  const { reply } = await server.call(stranger, calls.get, { params: { id: review.id } });
  expect(reply).toEqual(review);
});

test('its writer changes a review within 24 hours, and everybody sees that it was', async ({
  database,
  platform,
  server,
  client,
  creator,
  stranger,
  publish,
  photos,
  edit,
}) => {
  const [first = '', second = '', third = ''] = await photos(3);
  const { id } = await publish({ imageIds: [first, second], tags: 'sea' });
  platform.announced.length = 0;
  const change = { caption: 'Even better', stars: 7, location: '', tags: 'sun', imageIds: [third, first] };
  const { reply } = await edit(client, id, change);
  expect(reply).toMatchObject({
    ...{ id, caption: 'Even better', stars: 7, location: '', tags: ['sun'] },
    editedAt: expect.any(String),
  });
  expect(photoIds(reply)).toEqual([third, first]);
  const read = await server.call(stranger, calls.get, { params: { id } });
  expect(read.reply).toMatchObject({ caption: 'Even better', editedAt: reply.editedAt });
  expect(
    platform.announced.findLast(({ collection, id: changed }) => collection === 'reviews' && changed === id),
  ).toMatchObject({ change: 'update', document: { caption: 'Even better' } });
  expect(await platform.jobs('files.remove')).toContainEqual({ id: second });
  const ratedAnew = () =>
    platform.announced.filter((event) => event.collection === 'users').map((event) => event.id);
  expect(ratedAnew()).toEqual([creator.profileId]);
  await edit(client, id, { stars: 7, imageIds: [] });
  // As many stars as before.
  expect(ratedAnew()).toEqual([creator.profileId]);
  expect(await database.$count(reviewPhotos, eq(reviewPhotos.reviewId, id))).toBe(0);
});

test('another’s review, one that does not exist, and one older than 24 hours are not changed', async ({
  database,
  client,
  creator,
  publish,
  photos,
  edit,
}) => {
  const [photo = '', other = ''] = await photos(2);
  const { id } = await publish({ imageIds: [photo] });
  expect((await edit(creator, id, { stars: 0 })).problem).toMatchObject({
    type: 'user_unauthorized',
    code: 401,
  });
  expect((await edit(client, 'nothing')).problem.type).toBe('review_not_found');
  const notOwn = await insertPicture(database, { ownerAccountId: creator.accountId });
  expect((await edit(client, id, { imageIds: [other, notOwn] })).problem).toMatchObject({
    type: 'storage_file_not_found',
    fields: { imageIds: expect.any(String) },
  });
  expect((await edit(client, id, { caption: ' ' })).problem.fields).toEqual({
    caption: 'Please write a few words.',
  });
  expect((await edit(client, id, { ownerId: client.profileId })).problem.fields).toEqual({
    ownerId: 'is not a field of this call',
  });
  await database
    .update(reviews)
    .set({ createdAt: sql`now() - interval '24 hours 1 minute'` })
    .where(eq(reviews.id, id));
  expect((await edit(client, id, { imageIds: [other] })).problem).toMatchObject({
    type: 'review_edit_closed',
    code: 409,
    title: 'This review can no longer be changed',
  });
  const [row] = await database.select().from(reviews).where(eq(reviews.id, id));
  expect(row).toMatchObject({ caption: 'A lovely hour.', stars: 9, editedAt: null });
  const rows = await database.select().from(reviewPhotos).where(eq(reviewPhotos.reviewId, id));
  expect(rows.map(({ imageId }) => imageId)).toEqual([photo]);
  const [unused] = await database.select().from(files).where(eq(files.id, other));
  expect(unused?.usedAt).toBeNull();
});
