import { nowDate, nowMs } from '@tara/contract/clock';
import { blocks } from '@tara/contract/members/blocks';
import { publicLinks as calls } from '@tara/contract/members/public-links';
import { callUrl } from '@tara/contract/url';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { webRoutes } from '../../platform/http/web.ts';
import { newId } from '../../platform/ids.ts';
import { insertPlan } from '../../testing/features/interactions.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { insertPicture, pictureBytes } from '../../testing/features/pictures.ts';
import { testPlatform } from '../../testing/platform.ts';
import { testServer } from '../../testing/server.ts';
import { serverTest } from '../../testing/test.ts';
import { testWeb } from '../../testing/web.ts';
import { accounts } from '../accounts/index.ts';
import { blockRoutes } from '../blocks/index.ts';
import { plans } from '../plans/index.ts';
import { profiles } from '../profiles/index.ts';
import { reports } from '../reports/index.ts';
import { describePublicLinkPage } from './open.ts';
import { publicLinkRoutes } from './routes.ts';
import { publicLinks } from './tables.ts';

const index =
  '<html><head><title>Tara</title><meta name="description" content="Make friends."></head><body></body></html>';

const test = serverTest(async (app, platform) => {
  const web = await testWeb(index);
  publicLinkRoutes(app, platform);
  blockRoutes(app, platform);
  await webRoutes(app, web.folder, {
    publicUrl: 'https://tara.test',
    describe: describePublicLinkPage(platform),
  });
  app.addHook('onClose', () => web.remove());
})
  .extend('picture', { scope: 'file' }, ({ database, platform }) => async ({ accountId }: Member) => {
    const id = await insertPicture(database, {
      ...{ ownerAccountId: accountId, usedAt: nowDate(), variants: [] },
    });
    await platform.files.put(`${id}/original`, await pictureBytes());
    return id;
  })
  .extend('ana', async ({ database, picture }) => {
    const ana = await insertMember(database, { name: 'Ana Cruz', username: 'anacruz7', verified: true });
    const imageId = await picture(ana);
    await database.update(profiles).set({ imageId }).where(eq(profiles.id, ana.profileId));
    return ana;
  })
  .extend('ben', ({ database }) => insertMember(database, { name: 'Ben Reyes' }))
  .extend('planId', async ({ database, ana, picture }) =>
    insertPlan(database, ana, { imageId: await picture(ana), place: 'Hidden Street 7', totalMeetings: 3 }),
  )
  /** Switches on a link of Ana, of her plan or the invitation; resolves with its id. */
  .extend('open', ({ server, ana }) => async (planId?: string, who: Member = ana) => {
    const { reply } = await server.call(who, calls.create, { body: planId ? { planId } : {} });
    return reply.link.url.split('/').at(-1) ?? '';
  })
  .extend('visit', ({ server }) => ({
    invitation: (id: string) => server.call(null, calls.invitation, { params: { id } }),
    plan: (id: string) => server.call(null, calls.plan, { params: { id } }),
    picture: (id: string) =>
      server.request(null, { method: 'GET', url: callUrl(calls.picture, { params: { id } }) }),
    page: async (path: string) => {
      const response = await server.request(null, { method: 'GET', url: path });
      const content = (name: string) =>
        new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(response.body)?.[1];
      return { response, content };
    },
  }));

/** What of Ana a stranger must not learn. */
const secrets = ({ profileId, accountId }: Member) => [
  ...[profileId, accountId, 'Cruz', 'anacruz7', 'Hidden Street'],
];

test('an invitation shows the first name and the picture, and nothing else (threat-public-links)', async ({
  platform,
  ana,
  open,
  visit,
  server,
}) => {
  const id = await open();
  const { reply, headers } = await visit.invitation(id);
  expect(reply).toEqual({
    firstName: 'Ana',
    picture: {
      ...{ imageId: null, imageUrl: `/api/publicLink/picture/${id}`, widths: [], alt: 'Ana' },
      ...{ width: expect.any(Number), height: expect.any(Number), thumbhash: expect.any(String) },
    },
  });
  expect(headers['cache-control']).toBe('no-store');
  const { response, content } = await visit.page(`/invite/${id}`);
  expect(response.headers).toMatchObject({
    ...{ 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'private, no-cache' },
  });
  expect(content('og:title')).toBe('Ana invites you to Tara');
  expect(content('og:image')).toBe(`${platform.config.publicUrl}/api/publicLink/picture/${id}`);
  // Also by another spelling of the address, which browsers open alike.
  expect((await visit.page(`/%69nvite/${id}`)).response.headers['x-robots-tag']).toBe('noindex, nofollow');
  const picture = await visit.picture(id);
  expect(picture.statusCode).toBe(200);
  expect(picture.headers).toMatchObject({
    'x-robots-tag': 'noindex',
    ...{ 'cache-control': 'public, max-age=300', 'content-type': 'image/jpeg' },
  });
  const all = JSON.stringify(reply) + response.body + (await server.call(ana, calls.own)).reply.link?.url;
  for (const secret of secrets(ana)) expect(all).not.toContain(secret);
});

test('the page of a plan shows title, cover, first name, stars and price, and neither place nor profile (threat-public-links)', async ({
  platform,
  ana,
  planId,
  open,
  visit,
}) => {
  const id = await open(planId);
  const { reply } = await visit.plan(id);
  expect(reply).toEqual({
    ...{ title: 'Coffee in Makati', firstName: 'Ana', price: 250 },
    rating: { stars: null, totalReviews: 0, totalMeetings: 3 },
    cover: expect.objectContaining({ imageId: null, imageUrl: `/api/publicLink/picture/${id}` }),
  });
  const { response, content } = await visit.page(`/plan/${id}`);
  expect(response.headers).toMatchObject({ 'x-robots-tag': 'noindex, nofollow' });
  expect(content('og:title')).toBe('Coffee in Makati · Tara');
  expect(content('og:image')).toBe(`${platform.config.publicUrl}/api/publicLink/picture/${id}`);
  expect((await visit.picture(id)).statusCode).toBe(200);
  const all = JSON.stringify(reply) + response.body;
  for (const secret of [planId, ...secrets(ana)]) expect(all).not.toContain(secret);
  // Each page by its own kind of link.
  expect((await visit.invitation(id)).problem.type).toBe('invitation_not_found');
  expect((await visit.plan(await open())).problem.type).toBe('plan_link_not_found');
});

test('links are off by default, switched on once, and another one after switching off (threat-public-links)', async ({
  ana,
  planId,
  open,
  visit,
  server,
}) => {
  const own = async (query: { planId?: string } = {}) =>
    (await server.call(ana, calls.own, { query })).reply.link;
  expect([await own(), await own({ planId })]).toEqual([null, null]);
  const [invitation, plan] = [await open(), await open(planId)];
  expect([await open(), await open(planId)]).toEqual([invitation, plan]);
  expect(await Promise.all([open(), open(), open(planId)])).toEqual([invitation, invitation, plan]);
  expect((await own())?.url).toMatch(new RegExp(`/invite/${invitation}$`));
  expect((await own({ planId }))?.url).toMatch(new RegExp(`/plan/${plan}$`));

  for (let time = 0; time < 2; time++)
    expect((await server.call(ana, calls.revoke, { body: {} })).status).toBe(200);
  expect((await visit.invitation(invitation)).problem).toMatchObject({
    ...{ code: 404, type: 'invitation_not_found', title: 'This invitation has ended' },
  });
  expect((await visit.picture(invitation)).statusCode).toBe(404);
  expect((await visit.page(`/invite/${invitation}`)).content('og:title')).toBe('This link has ended · Tara');
  expect((await visit.plan(plan)).status).toBe(200);
  expect(await open()).not.toBe(invitation);
  await server.call(ana, calls.revoke, { body: { planId } });
  expect((await visit.plan(plan)).problem.type).toBe('plan_link_not_found');
  expect(await own({ planId })).toBeNull();
});

test.for([
  ['a suspended member, until that is over', 'suspendedUntil'],
  ['a banned member', 'blockedAt'],
  ['a member who leaves', 'deletesAt'],
] as const)(
  'no link shows anything of %s (threat-public-links)',
  async ([_name, column], { database, ana, planId, open, visit }) => {
    const [invitation, plan] = [await open(), await open(planId)];
    const statuses = async () => [
      (await visit.invitation(invitation)).status,
      (await visit.plan(plan)).status,
      (await visit.picture(plan)).statusCode,
    ];
    const set = (time: Date | null) =>
      database
        .update(accounts)
        .set({ [column]: time })
        .where(eq(accounts.id, ana.accountId));
    await set(new Date(nowMs() + 60_000));
    expect(await statuses()).toEqual([404, 404, 404]);
    await set(column === 'suspendedUntil' ? new Date(nowMs() - 60_000) : null);
    expect(await statuses()).toEqual([200, 200, 200]);
  },
);

test('no link shows anything of a deleted member, or of one about whom a report waits (threat-public-links)', async ({
  database,
  ana,
  ben,
  planId,
  open,
  visit,
}) => {
  const [invitation, plan] = [await open(), await open(planId)];
  const statuses = async () => [(await visit.invitation(invitation)).status, (await visit.plan(plan)).status];
  const snapshot = { title: '', text: '', imageUrl: null, createdAt: '2026-01-02T03:04:05.000Z' };
  const report = { id: newId(), kind: 'plan', recordId: planId, reason: 'spam', snapshot } as const;
  await database.insert(reports).values({ ...report, reporterId: ben.profileId, memberId: ana.profileId });
  expect(await statuses()).toEqual([404, 404]);
  await database.update(reports).set({ decision: 'dismiss', decidedAt: nowDate() });
  expect(await statuses()).toEqual([200, 200]);
  await database.update(profiles).set({ deletedAt: nowDate() }).where(eq(profiles.id, ana.profileId));
  expect(await statuses()).toEqual([404, 404]);
});

test.for([
  ['is closed', { closedAt: nowDate() }, {}],
  ['is removed by an admin', { removedAt: nowDate() }, {}],
  ['takes no requests while its creator is not verified', {}, { verified: null }],
] as const)(
  'the page of a plan that %s has ended, and comes back with it',
  async ([_name, plan, profile], { database, ana, planId, open, visit }) => {
    const id = await open(planId);
    if (Object.keys(plan).length > 0) await database.update(plans).set(plan).where(eq(plans.id, planId));
    if (Object.keys(profile).length > 0)
      await database.update(profiles).set(profile).where(eq(profiles.id, ana.profileId));
    expect((await visit.plan(id)).problem.type).toBe('plan_link_not_found');
    expect((await visit.picture(id)).statusCode).toBe(404);
    await database.update(plans).set({ closedAt: null, removedAt: null }).where(eq(plans.id, planId));
    await database.update(profiles).set({ verified: true }).where(eq(profiles.id, ana.profileId));
    expect((await visit.plan(id)).status).toBe(200);
  },
);

test('a member goes on to the plan, whom its creator did not block (threat-public-links)', async ({
  ana,
  ben,
  planId,
  open,
  server,
}) => {
  const params = { id: await open(planId) };
  expect((await server.call(ben, calls.planId, { params })).reply).toEqual({ planId });
  expect((await server.call(null, calls.planId, { params })).status).toBe(401);
  await server.call(ana, blocks.block, { body: { profileId: ben.profileId } });
  expect((await server.call(ben, calls.planId, { params })).problem.type).toBe('plan_link_not_found');
});

test('nobody switches on, sees or ends the link of another’s plan, and guests none (threat-public-links)', async ({
  database,
  ana,
  ben,
  planId,
  open,
  visit,
  server,
}) => {
  const id = await open(planId);
  const body = { planId };
  // Ben has a plan of his own, and Ana one that an admin removed.
  await insertPlan(database, ben);
  const removed = { planId: await insertPlan(database, ana, { removedAt: nowDate() }) };
  expect((await server.call(ana, calls.create, { body: removed })).problem.type).toBe('plan_not_found');
  expect((await server.call(ben, calls.create, { body })).problem.type).toBe('plan_not_found');
  expect((await server.call(ben, calls.own, { query: body })).reply.link).toBeNull();
  await server.call(ben, calls.revoke, { body });
  await server.call(ben, calls.revoke, { body: {} });
  expect((await server.call(null, calls.create, { body: {} })).status).toBe(401);
  expect((await visit.plan(id)).status).toBe(200);
  for (const wrong of ['x', `${id}x`, planId, "'--"]) expect((await visit.plan(wrong)).status).toBe(404);
});

test('a member without a photo invites with the name alone, and names stay text in the page', async ({
  database,
  open,
  visit,
}) => {
  const member = await insertMember(database, { name: 'Zoë"><u Cruz' });
  const id = await open(undefined, member);
  expect((await visit.invitation(id)).reply).toEqual({ firstName: 'Zoë"><u', picture: null });
  expect((await visit.picture(id)).statusCode).toBe(404);
  const { response, content } = await visit.page(`/invite/${id}`);
  expect(response.body).not.toContain('<u');
  expect(content('og:title')).toBe('Zoë&#34;&#62;&#60;u invites you to Tara');
  expect(content('og:image')).toBe('https://tara.test/share.png');
});

test('one row is stored for each link, and none once its plan is deleted', async ({
  database,
  ana,
  planId,
  open,
}) => {
  await open();
  await open(planId);
  const rows = () => database.select().from(publicLinks).where(eq(publicLinks.profileId, ana.profileId));
  expect((await rows()).map((row) => row.planId).toSorted()).toEqual([planId, null].toSorted());
  await database.delete(plans).where(eq(plans.id, planId));
  expect((await rows()).map((row) => row.planId)).toEqual([null]);
});

test('guesses are limited by address (threat-public-links)', async ({ platform }) => {
  const strict = testPlatform(platform.database, { RATE_LIMITS: 'on' });
  const limited = await testServer(strict, (app) => publicLinkRoutes(app, strict));
  for (const call of [calls.invitation, calls.plan, calls.picture]) {
    const url = callUrl(call, { params: { id: 'guess' } });
    const statuses: number[] = [];
    for (let time = 0; time < 301; time++)
      statuses.push((await limited.request(null, { method: 'GET', url })).statusCode);
    expect(statuses.filter((status) => status === 404)).toHaveLength(300);
    expect(statuses.at(-1)).toBe(429);
  }
  await limited.close();
});
