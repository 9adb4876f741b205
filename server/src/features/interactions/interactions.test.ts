import { admin as adminCalls, interactions as calls } from '@tara/contract/interactions';
import { plans as planCalls } from '@tara/contract/plans';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { insertMember, type Member } from '../../testing/members.ts';
import { type TestPlatform, testPlatform } from '../../testing/platform.ts';
import { type TestServer, testServer } from '../../testing/server.ts';
import { planRoutes } from '../plans/index.ts';
import { friends } from '../profiles/index.ts';
import { interactionRoutes } from './routes.ts';
import { interactions } from './tables.ts';
import { insertInteraction, insertPlan } from './testing.ts';

let testing: TestDatabase;
let platform: TestPlatform;
let server: TestServer;
let creator: Member;
let client: Member;
let stranger: Member;
let admin: Member;
let planId: string;

beforeAll(async () => {
  testing = await createTestDatabase();
  platform = testPlatform(testing.database);
  server = await testServer(platform, (app) => {
    planRoutes(app, platform);
    interactionRoutes(app, platform);
  });
  admin = await insertMember(testing.database, { admin: true });
});
beforeEach(async () => {
  creator = await insertMember(testing.database, { name: 'Ana', verified: true });
  client = await insertMember(testing.database, { name: 'Ben', verified: true });
  stranger = await insertMember(testing.database, { verified: true });
  planId = await insertPlan(testing.database, creator);
});
afterAll(async () => {
  await server.close();
  await testing.drop();
});

const request = (who: Member, plan = planId, more: Record<string, unknown> = {}) =>
  server.call(who, calls.createInteraction, { body: { planId: plan, ...more } });
const jobs = async (task: string) =>
  (
    await testing.sql<{ payload: { interactionId: string } }[]>`
      select payload from graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id where identifier = ${task}`
  ).map(({ payload }) => payload.interactionId);

describe('sending a request (§4, §7)', () => {
  it('stores it unpaid and asks for a payment link in the same transaction', async () => {
    const { reply } = await request(client);
    expect(reply).toMatchObject({
      planId,
      planTitle: 'Coffee in Makati',
      price: 250,
      paid: false,
      accepted: false,
      checkoutUrl: null,
      money: { state: 'unpaid', amount: 250 },
      clientAccountId: client.accountId,
      creatorAccountId: creator.accountId,
    });
    expect(await jobs('payments.createLink')).toContain(reply.id);
    expect(
      (await server.call(client, planCalls.get, { params: { id: planId } })).reply.openInteractionId,
    ).toBe(reply.id);
  });

  it('reads price and parties from the plan, whatever the client sends (mass assignment)', async () => {
    const { reply } = await request(client, planId, {
      price: 1,
      paid: true,
      paymentId: 'pay_forged',
      checkoutUrl: 'https://evil.example',
      webhookId: 'hook_forged',
      creatorAccountId: stranger.accountId,
      clientAccountId: stranger.accountId,
    });
    expect(reply).toMatchObject({
      price: 250,
      paid: false,
      paymentId: null,
      checkoutUrl: null,
      webhookId: null,
      creatorAccountId: creator.accountId,
    });
  });

  it('counts a free plan as paid at once, with a reference number of our own (decisions §1)', async () => {
    const free = await insertPlan(testing.database, creator, { priceCentavos: 0 });
    const { reply } = await request(client, free);
    expect(reply).toMatchObject({ paid: true, money: { state: 'free', amount: 0 } });
    expect(reply.referenceNumber).toMatch(/^[a-z0-9]{7}$/);
    expect(await jobs('payments.createLink')).not.toContain(reply.id);
  });

  it('allows one open request per member and plan, also when both are sent at once', async () => {
    const answers = await Promise.all([request(client), request(client), request(client)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.problem).toMatchObject({
      type: 'interaction_already_requested',
      message: 'You already made a request',
    });
  });

  it('allows a new request after the earlier was cancelled', async () => {
    const first = (await request(client)).reply;
    await server.call(client, calls.cancelRequest, { body: { interactionId: first.id } });
    expect((await request(client)).reply.id).not.toBe(first.id);
  });

  const unverified = async () => insertMember(testing.database);
  it.each([
    ['one’s own plan (§6)', async () => request(creator), 403, 'interaction_own_plan'],
    ['an unverified member (§6)', async () => request(await unverified()), 403, 'plan_creator_unverified'],
    ['a plan that does not exist', async () => request(client, 'nothing'), 404, 'plan_not_found'],
    ['an id that is none', async () => request(client, '../etc'), 400, 'general_argument_invalid'],
    [
      'an unknown field',
      async () => request(client, planId, { adminSetDone: true }),
      400,
      'general_argument_invalid',
    ],
  ])('refuses %s and stores nothing', async (_name, send, status, type) => {
    const { problem } = await send();
    expect(problem).toMatchObject({ code: status, type });
    expect(await testing.database.$count(interactions, eq(interactions.planId, planId))).toBe(0);
  });
});

describe('who may read a request', () => {
  it('is readable by its parties and an admin, and by nobody else', async () => {
    const { id } = (await request(client)).reply;
    await testing.database
      .update(interactions)
      .set({ checkoutUrl: 'https://pay.example/x' })
      .where(eq(interactions.id, id));
    const read = (who: Member) => server.call(who, calls.interaction, { params: { id } });
    expect((await read(client)).reply.checkoutUrl).toBe('https://pay.example/x');
    expect((await read(creator)).reply.checkoutUrl).toBeNull();
    expect((await read(admin)).reply.checkoutUrl).toBeNull();
    expect((await read(stranger)).problem).toMatchObject({ code: 404, type: 'interaction_not_found' });
  });

  it('is announced to each party alone, the checkout only to the client', async () => {
    const { id } = (await request(client)).reply;
    await testing.database
      .update(interactions)
      .set({ checkoutUrl: 'https://pay.example/y' })
      .where(eq(interactions.id, id));
    await server.call(creator, calls.acceptRequest, { body: { interactionId: id } });
    const events = platform.announced.filter((change) => change.id === id && change.change === 'update');
    expect(
      events.map(({ audience, document }) => [audience, document.checkoutUrl, document.accepted]),
    ).toEqual([
      [[client.accountId], 'https://pay.example/y', true],
      [[creator.accountId], null, true],
    ]);
  });
});

describe('the steps of a request (§4)', () => {
  type Step = 'acceptRequest' | 'cancelRequest' | 'markDone' | 'cardDown';
  const now = new Date();
  const paid = { paidAt: now };
  const ready = { paidAt: now, acceptedAt: now };
  const done = { ...ready, userSetDoneAt: now };
  const completed = { ...done, adminSetDoneAt: now, completedAt: now };
  const cancelled = { cancelledAt: now };
  const step = (who: Member, name: Step, interactionId: string) =>
    server.call(who, calls[name], { body: { interactionId } });
  const inserted = (state: Partial<typeof interactions.$inferInsert>) =>
    insertInteraction(testing.database, { creator, client, planId }, state);
  const members = () => ({ creator, client, stranger, admin });

  const allowed: [Step, keyof ReturnType<typeof members>, object, object][] = [
    ['acceptRequest', 'creator', {}, { accepted: true }],
    ['acceptRequest', 'creator', paid, { accepted: true, paid: true }],
    ['cancelRequest', 'client', {}, { cancelled: true }],
    ['cancelRequest', 'creator', { acceptedAt: now }, { cancelled: true }],
    ['markDone', 'client', ready, { userSetDone: true }],
    ['cardDown', 'client', paid, { cardDown: true }],
    ['cardDown', 'creator', {}, { cardDown: true }],
  ];
  it.each(allowed)('%s by the %s in %o', async (name, who, state, after) => {
    const { reply } = await step(members()[who], name, await inserted(state));
    expect(reply).toMatchObject(after);
  });

  const refused: [Step, keyof ReturnType<typeof members>, object, number, string][] = [
    ['acceptRequest', 'client', {}, 409, 'Only the creator accepts.'],
    ['acceptRequest', 'creator', { acceptedAt: now }, 409, 'This request is already accepted.'],
    ['acceptRequest', 'creator', cancelled, 409, 'This request was cancelled.'],
    ['acceptRequest', 'stranger', {}, 404, ''],
    ['acceptRequest', 'admin', {}, 409, 'Only the creator accepts.'],
    ['cancelRequest', 'client', paid, 409, 'A paid request cannot be cancelled here.'],
    ['cancelRequest', 'client', completed, 409, 'This plan is completed.'],
    ['cancelRequest', 'stranger', {}, 404, ''],
    ['markDone', 'creator', ready, 409, 'Only the client can mark the plan as fulfilled.'],
    ['markDone', 'client', { acceptedAt: now }, 409, 'The request is not paid yet.'],
    ['markDone', 'client', paid, 409, 'The creator has not accepted yet.'],
    ['markDone', 'client', done, 409, 'You already marked the plan as fulfilled.'],
    ['markDone', 'stranger', ready, 404, ''],
    ['cardDown', 'client', { cardDown: true }, 409, 'The card is already below the chat.'],
    ['cardDown', 'stranger', {}, 404, ''],
  ];
  it.each(refused)('not %s by the %s in %o', async (name, who, state, status, reason) => {
    const id = await inserted(state);
    const read = () => testing.database.select().from(interactions).where(eq(interactions.id, id));
    const before = await read();
    const { problem } = await step(members()[who], name, id);
    expect(problem).toMatchObject(
      status === 404
        ? { code: 404, type: 'interaction_not_found' }
        : { code: 409, type: 'interaction_not_allowed', text: reason },
    );
    expect(await read()).toEqual(before);
  });

  it('accepts once of two accepts at once, and makes the two friends of each other', async () => {
    const id = await inserted({});
    const answers = await Promise.all([
      step(creator, 'acceptRequest', id),
      step(creator, 'acceptRequest', id),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const rows = await testing.database.select().from(friends);
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ownerId: creator.profileId, friendId: client.profileId }),
        expect.objectContaining({ ownerId: client.profileId, friendId: creator.profileId }),
      ]),
    );
  });

  it('closes the payment link of a cancelled request by a job', async () => {
    const id = await inserted({ linkId: 'link_1', checkoutUrl: 'https://pay.example/z' });
    const { reply } = await step(client, 'cancelRequest', id);
    expect(reply.checkoutUrl).toBeNull();
    expect(await jobs('payments.archiveLink')).toContain(id);
  });

  it('puts each request into its lists, for each of its parties', async () => {
    // One open request per plan and member: each state gets its own plan.
    const plan = () => insertPlan(testing.database, creator);
    const put = async (state: object) =>
      insertInteraction(testing.database, { creator, client, planId: await plan() }, state);
    const pending = [await put({}), await put(paid)];
    const scheduled = [await put({ acceptedAt: now }), await put(ready)];
    const past = [await put(done), await put(completed), await put(cancelled)];
    const ids = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id).sort();
    const creators = (await server.call(creator, calls.manager)).reply;
    const clients = (await server.call(client, calls.manager)).reply;
    expect(ids(creators.friendRequest)).toEqual(pending.sort());
    expect(ids(creators.earn)).toEqual(scheduled.sort());
    expect([ids(creators.yourRequest), ids(creators.expense)]).toEqual([[], []]);
    expect(ids(clients.yourRequest)).toEqual(pending.sort());
    expect(ids(clients.expense)).toEqual(scheduled.sort());
    for (const who of [creator, client]) {
      const { reply } = await server.call(who, calls.interactionList, { params: { list: 'history' } });
      expect(ids(reply)).toEqual(past.sort());
    }
    const none = await server.call(stranger, calls.interactionList, { params: { list: 'history' } });
    expect(none.reply.items).toEqual([]);
  });

  it('counts what its confirmed requests brought as earned by the plan', async () => {
    const read = async () =>
      (await server.call(stranger, planCalls.get, { params: { id: planId } })).reply.plan.earned;
    expect(await read()).toBeNull();
    await inserted(completed);
    await insertInteraction(testing.database, { creator, client: stranger, planId }, ready);
    expect(await read()).toBe(250);
    await inserted({ ...completed, priceCentavos: 100_50 });
    expect(await read()).toBe(350.5);
  });

  it('pages a list without gap or repeat', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 13; count++) {
      const plan = await insertPlan(testing.database, creator);
      ids.push(await insertInteraction(testing.database, { creator, client, planId: plan }));
    }
    const first = (await server.call(creator, calls.manager)).reply.friendRequest;
    expect(first.items).toHaveLength(10);
    const { reply } = await server.call(creator, calls.interactionList, {
      params: { list: 'friendRequest' },
      query: { cursor: first.next ?? '' },
    });
    expect([...first.items, ...reply.items].map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(reply.next).toBeNull();
  });

  it('shows an admin what waits for confirmation, oldest first, and nobody else', async () => {
    const later = await inserted({ ...done, userSetDoneAt: new Date(Date.now() - 1000) });
    const other = await insertPlan(testing.database, creator);
    const earlier = await insertInteraction(
      testing.database,
      { creator, client: stranger, planId: other },
      { ...done, userSetDoneAt: new Date(Date.now() - 5000) },
    );
    const { reply } = await server.call(admin, adminCalls.awaitingPlans);
    const ids = reply.items.map(({ id }) => id).filter((id) => id === later || id === earlier);
    expect(ids).toEqual([earlier, later]);
    expect((await server.call(creator, adminCalls.awaitingPlans)).problem.type).toBe('admin_only');
  });
});
