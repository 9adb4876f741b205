import { nowDate, nowMs } from '@tara/contract/clock';
import { blocks } from '@tara/contract/members/blocks';
import { sharedPlans as calls } from '@tara/contract/plans/shared-plans';
import { callUrl } from '@tara/contract/url';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { testPlatform } from '../../testing/platform.ts';
import { testServer } from '../../testing/server.ts';
import { serverTest } from '../../testing/test.ts';
import { accounts } from '../accounts/index.ts';
import { blockRoutes } from '../blocks/index.ts';
import { interactions } from '../interactions/index.ts';
import { profiles } from '../profiles/index.ts';
import { sharedPlanRoutes } from './routes.ts';
import { sharedPlans } from './tables.ts';

const hours = (count: number) => new Date(nowMs() + count * 3_600_000);

const test = serverTest((app, platform) => {
  sharedPlanRoutes(app, platform);
  blockRoutes(app, platform);
})
  .extend('creator', ({ database }) => insertMember(database, { name: 'Ana Cruz', verified: true }))
  .extend('client', ({ database }) => insertMember(database, { name: 'Ben Reyes', verified: true }))
  .extend('planId', ({ database, creator }) => insertPlan(database, creator))
  .extend(
    'request',
    ({ database, creator, client, planId }) =>
      (state: Partial<typeof interactions.$inferInsert> = {}) =>
        insertInteraction(
          database,
          { creator, client, planId },
          {
            acceptedAt: nowDate(),
            meetsAt: hours(2),
            meetsUntil: hours(3),
            dayStartsAt: hours(-10),
            place: 'Luneta',
            ...state,
          },
        ),
  )
  .extend('share', ({ server }) => async (who: Member, interactionId: string) => {
    const { reply } = await server.call(who, calls.create, { body: { interactionId } });
    return new URL(reply.url).searchParams.get('token') ?? '';
  })
  /** A request with the link that its client made. */
  .extend('shared', ({ request, share, client }) => async () => {
    const id = await request();
    return { id, token: await share(client, id) };
  })
  .extend(
    'visit',
    ({ server }) =>
      (token: string) =>
        server.call(null, calls.open, { query: { token } }),
  )
  .extend(
    'change',
    ({ database }) =>
      async (id: string, state: Partial<typeof interactions.$inferInsert>) => {
        await database.update(interactions).set(state).where(eq(interactions.id, id));
      },
  );

test('a link shows who, when, where and the state of a plan, and nothing else (threat-shared-plans)', async ({
  shared,
  share,
  visit,
  creator,
  change,
}) => {
  const { id, token } = await shared();
  const { reply, headers } = await visit(token);
  expect(reply).toEqual({
    ...{ planTitle: 'Coffee in Makati', sharer: 'Ben Reyes', other: 'Ana Cruz', otherVerified: true },
    ...{ meetsAt: expect.any(String), meetsUntil: expect.any(String), place: 'Luneta', state: 'agreed' },
    endsAt: expect.any(String),
  });
  expect(Date.parse(reply.endsAt) - Date.parse(reply.meetsUntil ?? '')).toBe(24 * 3_600_000);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  // The other party's own link is another one, from the other side.
  expect((await visit(await share(creator, id))).reply).toMatchObject({
    sharer: 'Ana Cruz',
    other: 'Ben Reyes',
  });
  await change(id, { paidAt: nowDate(), userSetDoneAt: nowDate() });
  expect((await visit(token)).reply.state).toBe('fulfilled');
});

test('a cancelled plan is shown as such', async ({ shared, visit, change }) => {
  const { id, token } = await shared();
  await change(id, { cancelledAt: nowDate(), cancelReason: 'withdrawn' });
  expect((await visit(token)).reply.state).toBe('cancelled');
});

test('one link lives for a request and member: a new one ends the one before, and revoking ends it at once (threat-shared-plans)', async ({
  database,
  shared,
  share,
  visit,
  client,
  creator,
  server,
}) => {
  const { id, token: first } = await shared();
  const others = await share(creator, id);
  const second = await share(client, id);
  expect((await visit(first)).problem.type).toBe('shared_plan_not_found');
  expect((await visit(second)).status).toBe(200);
  const own = async () => (await server.call(client, calls.own, { params: { id } })).reply.link;
  expect(await own()).toEqual({ createdAt: expect.any(String), endsAt: expect.any(String) });
  for (let time = 0; time < 2; time++)
    expect((await server.call(client, calls.revoke, { body: { interactionId: id } })).status).toBe(200);
  expect((await visit(second)).problem.type).toBe('shared_plan_not_found');
  expect(await own()).toBeNull();
  // The other's link is theirs.
  expect((await visit(others)).status).toBe(200);
  // The secret itself is stored nowhere.
  const stored = await database.select().from(sharedPlans).where(eq(sharedPlans.interactionId, id));
  expect(stored.map(({ tokenHash }) => tokenHash.length)).toEqual([32]);
  expect(JSON.stringify(stored)).not.toContain(others);
});

test('each request has a link of its own', async ({
  database,
  request,
  share,
  visit,
  client,
  creator,
  server,
}) => {
  const id = await request();
  const planId = await insertPlan(database, creator);
  const day = { meetsAt: hours(5), meetsUntil: hours(6), dayStartsAt: hours(-10) };
  const other = await insertInteraction(
    database,
    { creator, client, planId },
    { acceptedAt: nowDate(), ...day },
  );
  const own = async (of: string) => (await server.call(client, calls.own, { params: { id: of } })).reply.link;
  const token = await share(client, id);
  expect([await own(id), await own(other)]).toEqual([expect.any(Object), null]);
  const otherToken = await share(client, other);
  expect((await server.call(client, calls.revoke, { body: { interactionId: other } })).status).toBe(200);
  expect([(await visit(token)).status, (await visit(otherToken)).status]).toEqual([200, 404]);
});

test.for([
  ['24 hours after its end', { meetsAt: hours(-26), meetsUntil: hours(-25) }, false],
  ['less than 24 hours after its end', { meetsAt: hours(-24), meetsUntil: hours(-23) }, true],
  [
    'without a day, on the second day after its own',
    { meetsAt: null, meetsUntil: null, dayStartsAt: hours(-49) },
    false,
  ],
  [
    'without a day, within a day after its own',
    { meetsAt: null, meetsUntil: null, dayStartsAt: hours(-47) },
    true,
  ],
] as const)(
  '%s a link is open: %j, %j',
  async ([_, state, isOpen], { request, share, visit, client, change }) => {
    const id = await request();
    const token = await share(client, id);
    await change(id, state);
    expect((await visit(token)).status).toBe(isOpen ? 200 : 404);
  },
);

test.for([
  ['not accepted', { acceptedAt: null }],
  ['cancelled', { cancelledAt: nowDate() }],
  [
    'completed',
    { paidAt: nowDate(), userSetDoneAt: nowDate(), adminSetDoneAt: nowDate(), completedAt: nowDate() },
  ],
  ['over', { meetsAt: hours(-50), meetsUntil: hours(-49) }],
] as const)('a request that is %s is not shared', async ([_, state], { request, server, client }) => {
  const body = { interactionId: await request(state) };
  expect((await server.call(client, calls.create, { body })).problem.type).toBe('interaction_not_allowed');
});

test('nobody shares, revokes or sees the link of a request of others, and guests none (threat-shared-plans)', async ({
  database,
  shared,
  visit,
  server,
}) => {
  const { id, token } = await shared();
  const stranger = await insertMember(database, { admin: true });
  const body = { interactionId: id };
  expect((await server.call(stranger, calls.create, { body })).problem.type).toBe('interaction_not_found');
  expect((await server.call(stranger, calls.own, { params: { id } })).problem.type).toBe(
    'interaction_not_found',
  );
  await server.call(stranger, calls.revoke, { body });
  expect((await server.call(null, calls.create, { body })).status).toBe(401);
  expect((await visit(token)).status).toBe(200);
  for (const wrong of ['', 'x', `${token}x`, id]) expect((await visit(wrong)).status).toBe(404);
});

test('a block between the two leaves the link, under the name of before; a ban or leaving of its maker ends it', async ({
  database,
  shared,
  visit,
  client,
  creator,
  server,
}) => {
  const { token } = await shared();
  await server.call(client, blocks.block, { body: { profileId: creator.profileId } });
  await database.update(profiles).set({ name: 'Somebody Else' }).where(eq(profiles.id, creator.profileId));
  expect((await visit(token)).reply).toMatchObject({ other: 'Ana Cruz', state: 'agreed' });
  const set = (columns: Partial<typeof accounts.$inferInsert>) =>
    database.update(accounts).set(columns).where(eq(accounts.id, client.accountId));
  await set({ suspendedUntil: hours(5) });
  expect((await visit(token)).status).toBe(200);
  await set({ blockedAt: nowDate() });
  expect((await visit(token)).status).toBe(404);
  await set({ blockedAt: null, deletesAt: hours(5) });
  expect((await visit(token)).status).toBe(404);
  await set({ deletesAt: null, deletedAt: nowDate() });
  expect((await visit(token)).status).toBe(404);
});

test('guesses are limited by address (threat-shared-plans)', async ({ platform }) => {
  const strict = testPlatform(platform.database, { RATE_LIMITS: 'on' });
  const limited = await testServer(strict, (app) => sharedPlanRoutes(app, strict));
  const url = callUrl(calls.open, { query: { token: 'guess' } });
  const statuses: number[] = [];
  for (let time = 0; time < 301; time++)
    statuses.push((await limited.request(null, { method: 'GET', url })).statusCode);
  expect(statuses.filter((status) => status === 404)).toHaveLength(300);
  expect(statuses.at(-1)).toBe(429);
  await limited.close();
});
