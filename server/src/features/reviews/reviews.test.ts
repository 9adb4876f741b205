import { interactions as interactionCalls } from '@tara/contract/interactions/interactions';
import { reviews as calls } from '@tara/contract/plans/reviews';
import { drawUuid } from '@tara/contract/random';
import { describe, expect } from 'vitest';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { confirmed, fulfilled, reviewFields, reviewTest as test } from '../../testing/features/reviews.ts';
import type { FixturesOf } from '../../testing/test.ts';
import { reviews } from './tables.ts';

type Fixtures = Pick<
  FixturesOf<typeof test>,
  'database' | 'client' | 'creator' | 'stranger' | 'request' | 'write'
>;
test('lets the client review a confirmed request, and every member read it; reviewSubmitted is set (§5-review, §7-create-review, §4-review-submitted, §6-client-reviews)', async ({
  database,
  platform,
  server,
  client,
  stranger,
  request,
  write,
}) => {
  const interactionId = await request();
  const imageId = await insertPicture(database, { ownerAccountId: client.accountId });
  const { reply } = await write(client, interactionId, { imageIds: [imageId], tags: 'sea, #sun set' });
  expect(reply).toMatchObject({
    ...reviewFields,
    creator: { name: 'Ben' },
    owner: { name: 'Ana' },
    planTitle: 'Coffee in Makati',
    photos: [{ imageId }],
    tags: ['sea', 'sunset'],
    editedAt: null,
  });
  expect((await server.call(stranger, calls.get, { params: { id: reply.id } })).reply).toEqual(reply);
  const interaction = await server.call(client, interactionCalls.interaction, {
    params: { id: interactionId },
  });
  expect(interaction.reply).toMatchObject({ reviewSubmitted: true, reviewId: reply.id });
  expect(platform.announced).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ collection: 'reviews', id: reply.id, audience: 'members' }),
    ]),
  );
});

test('a confirmed plan gets a starred review with photos, on which others comment and which they like (§1-reviews)', async ({
  database,
  server,
  client,
  stranger,
  request,
  write,
}) => {
  const upload = () => insertPicture(database, { ownerAccountId: client.accountId });
  const imageIds = [await upload(), await upload()];
  const { id } = (await write(client, await request(confirmed), { stars: 8, imageIds })).reply;
  const comment = { reviewId: id, body: 'So good!', clientKey: drawUuid() };
  await server.call(stranger, calls.createComment, { body: comment });
  await server.call(stranger, calls.like, { body: { reviewId: id } });
  expect((await server.call(stranger, calls.get, { params: { id } })).reply).toMatchObject({
    ...{ stars: 8, totalComments: 1, totalLikes: 1, liked: true },
    photos: imageIds.map((imageId) => ({ imageId })),
  });
});

test('takes one of two reviews sent at once (threat-concurrent-requests)', async ({
  client,
  request,
  write,
}) => {
  const interactionId = await request();
  const answers = await Promise.all([write(client, interactionId), write(client, interactionId)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.problem.type).toBe('review_already_written');
});

describe('refuses, and stores nothing', () => {
  const rows: [
    string,
    (fixtures: Fixtures) => Promise<{ problem: { type: string; fields?: object } }>,
    object,
  ][] = [
    [
      'before an admin confirmed (§4-review-write)',
      async ({ client, request, write }) => write(client, await request(fulfilled)),
      { type: 'review_not_yet', code: 409 },
    ],
    [
      'a review by the creator is refused (§6-client-reviews)',
      async ({ creator, request, write }) => write(creator, await request()),
      { type: 'interaction_not_allowed', text: 'Only the client writes the review.' },
    ],
    [
      'a stranger',
      async ({ stranger, request, write }) => write(stranger, await request()),
      { type: 'interaction_not_found', code: 404 },
    ],
    ['no such request', ({ client, write }) => write(client, 'nothing'), { type: 'interaction_not_found' }],
    [
      'stars 11 (§3)',
      async ({ client, request, write }) => write(client, await request(), { stars: 11 }),
      { code: 400, fields: { stars: 'Must be 0 to 10.' } },
    ],
    [
      'half a star (§3)',
      async ({ client, request, write }) => write(client, await request(), { stars: 4.5 }),
      { code: 400, fields: { stars: 'Must be a whole number.' } },
    ],
    [
      'no caption',
      async ({ client, request, write }) => write(client, await request(), { caption: ' ' }),
      { code: 400, fields: { caption: 'Please write a few words.' } },
    ],
    [
      'caption 5001 (§5)',
      async ({ client, request, write }) => write(client, await request(), { caption: 'x'.repeat(5001) }),
      { code: 400, fields: { caption: 'Must be at most 5000 characters.' } },
    ],
    [
      'location 101 (§5)',
      async ({ client, request, write }) => write(client, await request(), { location: 'x'.repeat(101) }),
      { code: 400, fields: { location: 'Must be at most 100 characters.' } },
    ],
    [
      'a review with six photos is refused (§5-review)',
      async ({ client, request, write }) =>
        write(client, await request(), { imageIds: ['a', 'b', 'c', 'd', 'e', 'f'] }),
      { code: 400, fields: { imageIds: 'At most 5 photos.' } },
    ],
    [
      'a photo twice',
      async ({ client, request, write }) => write(client, await request(), { imageIds: ['a', 'a'] }),
      { code: 400, fields: { imageIds: 'Each photo only once.' } },
    ],
    [
      'tags of 301 characters',
      async ({ client, request, write }) => write(client, await request(), { tags: 'x'.repeat(301) }),
      { code: 400, fields: { tags: 'Must be at most 300 characters.' } },
    ],
    [
      'another member’s picture',
      async ({ database, client, stranger, request, write }) => {
        const imageId = await insertPicture(database, { ownerAccountId: stranger.accountId });
        return write(client, await request(), { imageIds: [imageId] });
      },
      { type: 'storage_file_not_found', fields: { imageIds: expect.any(String) } },
    ],
  ];
  test.for(rows)(
    '%s',
    async ([_name, send, expected], { database, client, creator, stranger, request, write }) => {
      const before = await database.$count(reviews);
      const { problem } = await send({ database, client, creator, stranger, request, write });
      expect(problem).toMatchObject(expected);
      expect(await database.$count(reviews)).toBe(before);
    },
  );
});

test('pages the reviews about a member newest first (§7-list-reviews)', async ({
  database,
  server,
  client,
  stranger,
  write,
}) => {
  const owner = await insertMember(database, { verified: true });
  const ids: string[] = [];
  for (let count = 0; count < 12; count++) {
    const planId = await insertPlan(database, owner);
    const parties = { creator: owner, client, planId };
    ids.push((await write(client, await insertInteraction(database, parties, confirmed))).reply.id);
  }
  const page = (cursor?: string) =>
    server.call(stranger, calls.byOwner, { params: { id: owner.profileId }, query: { cursor } });
  const first = (await page()).reply;
  const second = (await page(first.next ?? '')).reply;
  expect(first.items).toHaveLength(10);
  expect([...first.items, ...second.items].map(({ id }) => id).sort()).toEqual(ids.sort());
  expect(second.next).toBeNull();
  const missing = await server.call(stranger, calls.get, { params: { id: 'nothing' } });
  expect(missing.problem.type).toBe('review_not_found');
});
