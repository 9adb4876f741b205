import { interactions as interactionCalls } from '@tara/contract/interactions';
import { reviews as calls } from '@tara/contract/reviews';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { insertMember, type Member } from '../../testing/members.ts';
import { insertPicture } from '../../testing/pictures.ts';
import { type TestPlatform, testPlatform } from '../../testing/platform.ts';
import { type TestServer, testServer } from '../../testing/server.ts';
import { interactionRoutes, type interactions } from '../interactions/index.ts';
import { insertInteraction, insertPlan } from '../interactions/testing.ts';
import { reviewRoutes } from './routes.ts';
import { reviews } from './tables.ts';

let testing: TestDatabase;
let platform: TestPlatform;
let server: TestServer;
let creator: Member;
let client: Member;
let stranger: Member;

beforeAll(async () => {
  testing = await createTestDatabase();
  platform = testPlatform(testing.database);
  server = await testServer(platform, (app) => {
    interactionRoutes(app, platform);
    reviewRoutes(app, platform);
  });
  creator = await insertMember(testing.database, { name: 'Ana', verified: true });
  client = await insertMember(testing.database, { name: 'Ben', verified: true });
  stranger = await insertMember(testing.database);
});
afterAll(async () => {
  await server.close();
  await testing.drop();
});

const now = new Date();
const fulfilled = { paidAt: now, acceptedAt: now, userSetDoneAt: now };
const confirmed = { ...fulfilled, adminSetDoneAt: now, completedAt: now };

async function request(state: Partial<typeof interactions.$inferInsert> = confirmed) {
  const planId = await insertPlan(testing.database, creator);
  return insertInteraction(testing.database, { creator, client, planId }, state);
}
const words = { caption: 'A lovely hour.', location: 'Makati', stars: 9 };
const write = (who: Member, interactionId: string, more: Record<string, unknown> = {}) =>
  server.call(who, calls.create, { body: { ...words, interactionId, ...more } });

it('lets the client review a confirmed request, and every member read it', async () => {
  const interactionId = await request();
  const imageId = await insertPicture(testing.database, { ownerAccountId: client.accountId });
  const { reply } = await write(client, interactionId, { imageId });
  expect(reply).toMatchObject({
    ...words,
    creator: { name: 'Ben' },
    owner: { name: 'Ana' },
    planTitle: 'Coffee in Makati',
    picture: { imageId },
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

it('takes one of two reviews sent at once', async () => {
  const interactionId = await request();
  const answers = await Promise.all([write(client, interactionId), write(client, interactionId)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.problem.type).toBe('review_already_written');
});

describe('refuses, and stores nothing', () => {
  const rows: [string, () => Promise<{ problem: { type: string; fields?: object } }>, object][] = [
    [
      'before an admin confirmed (§4)',
      async () => write(client, await request(fulfilled)),
      { type: 'review_not_yet', code: 409 },
    ],
    [
      'the creator',
      async () => write(creator, await request()),
      { type: 'interaction_not_allowed', text: 'Only the client writes the review.' },
    ],
    [
      'a stranger',
      async () => write(stranger, await request()),
      { type: 'interaction_not_found', code: 404 },
    ],
    ['no such request', () => write(client, 'nothing'), { type: 'interaction_not_found' }],
    [
      'stars 11 (§3)',
      async () => write(client, await request(), { stars: 11 }),
      { code: 400, fields: { stars: 'Must be 0 to 10.' } },
    ],
    [
      'half a star (§3)',
      async () => write(client, await request(), { stars: 4.5 }),
      { code: 400, fields: { stars: 'Must be a whole number.' } },
    ],
    [
      'no caption',
      async () => write(client, await request(), { caption: ' ' }),
      { code: 400, fields: { caption: 'Please write a few words.' } },
    ],
    [
      'caption 5001 (§5)',
      async () => write(client, await request(), { caption: 'x'.repeat(5001) }),
      { code: 400, fields: { caption: 'Must be at most 5000 characters.' } },
    ],
    [
      'location 101 (§5)',
      async () => write(client, await request(), { location: 'x'.repeat(101) }),
      { code: 400, fields: { location: 'Must be at most 100 characters.' } },
    ],
    [
      'another owner (mass assignment)',
      async () => write(client, await request(), { ownerId: client.profileId }),
      { code: 400, fields: { ownerId: 'is not a field of this call' } },
    ],
    [
      'another member’s picture',
      async () => {
        const imageId = await insertPicture(testing.database, { ownerAccountId: stranger.accountId });
        return write(client, await request(), { imageId });
      },
      { type: 'storage_file_not_found' },
    ],
  ];
  it.each(rows)('%s', async (_name, send, expected) => {
    const before = await testing.database.$count(reviews);
    const { problem } = await send();
    expect(problem).toMatchObject(expected);
    expect(await testing.database.$count(reviews)).toBe(before);
  });
});

it('pages the reviews about a member newest first', async () => {
  const owner = await insertMember(testing.database, { verified: true });
  const ids: string[] = [];
  for (let count = 0; count < 12; count++) {
    const planId = await insertPlan(testing.database, owner);
    const parties = { creator: owner, client, planId };
    ids.push((await write(client, await insertInteraction(testing.database, parties, confirmed))).reply.id);
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
