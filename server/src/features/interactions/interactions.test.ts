import { admin as adminCalls, interactions as calls } from '@tara/contract/interactions';
import { plans as planCalls } from '@tara/contract/plans';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertInteraction, insertPlan } from '../../testing/interactions.ts';
import { insertMember, type Member } from '../../testing/members.ts';
import { serverTest } from '../../testing/test.ts';
import { planRoutes } from '../plans/index.ts';
import { friends, profiles } from '../profiles/index.ts';
import { interactionRoutes } from './routes.ts';
import { interactions } from './tables.ts';

const test = serverTest((app, platform) => {
  planRoutes(app, platform);
  interactionRoutes(app, platform);
})
  .extend('admin', { scope: 'file' }, ({ database }) => insertMember(database, { admin: true }))
  .extend('creator', ({ database }) => insertMember(database, { name: 'Ana', verified: true }))
  .extend('client', ({ database }) => insertMember(database, { name: 'Ben', verified: true }))
  .extend('stranger', ({ database }) => insertMember(database, { verified: true }))
  .extend('planId', ({ database, creator }) => insertPlan(database, creator))
  .extend(
    'request',
    ({ server, planId }) =>
      (who: Member, plan = planId, more: Record<string, unknown> = {}) =>
        server.call(who, calls.createInteraction, { body: { planId: plan, ...more } }),
  )
  .extend(
    'step',
    { scope: 'file' },
    ({ server }) =>
      (who: Member, name: Step, interactionId: string) =>
        server.call(who, calls[name], { body: { interactionId } }),
  )
  .extend(
    'inserted',
    ({ database, creator, client, planId }) =>
      (state: Partial<typeof interactions.$inferInsert>) =>
        insertInteraction(database, { creator, client, planId }, state),
  )
  .extend('members', ({ admin, creator, client, stranger }) => ({ creator, client, stranger, admin }));

type Step = 'acceptRequest' | 'cancelRequest' | 'markDone' | 'cardDown';
type Party = 'creator' | 'client' | 'stranger' | 'admin';

describe('sending a request (§4, §7)', () => {
  test('stores it unpaid and asks for a payment link in the same transaction (§3-plan-interaction, §7-api-create-interaction, §7-search-interactions)', async ({
    server,
    creator,
    client,
    planId,
    request,
    platform,
  }) => {
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
    expect(await platform.jobs('payments.createLink')).toContainEqual({ interactionId: reply.id });
    expect(
      (await server.call(client, planCalls.get, { params: { id: planId } })).reply.openInteractionId,
    ).toBe(reply.id);
  });

  test('reads price and parties from the plan, whatever the client sends (mass assignment)', async ({
    creator,
    client,
    stranger,
    planId,
    request,
  }) => {
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

  test('counts a free plan as paid at once, with a reference number of our own (decisions §1)', async ({
    database,
    creator,
    client,
    request,
    platform,
  }) => {
    const free = await insertPlan(database, creator, { priceCentavos: 0 });
    const { reply } = await request(client, free);
    expect(reply).toMatchObject({ paid: true, money: { state: 'free', amount: 0 } });
    expect(reply.referenceNumber).toMatch(/^[a-z0-9]{7}$/);
    expect(await platform.jobs('payments.createLink')).not.toContainEqual({ interactionId: reply.id });
  });

  test('allows one open request per member and plan, also when both are sent at once (§5-one-request, §8-duplicate-request)', async ({
    client,
    request,
  }) => {
    const answers = await Promise.all([request(client), request(client), request(client)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.problem).toMatchObject({
      type: 'interaction_already_requested',
      message: 'You already made a request',
    });
  });

  test('allows a new request after the earlier was cancelled', async ({ server, client, request }) => {
    const first = (await request(client)).reply;
    await server.call(client, calls.cancelRequest, { body: { interactionId: first.id } });
    expect((await request(client)).reply.id).not.toBe(first.id);
  });
  test.for([
    ['one’s own plan (§6-verified-only)', 'creator', {}, 403, 'interaction_own_plan'],
    ['an unverified member (§6)', 'unverified', {}, 403, 'plan_creator_unverified'],
    ['a member without a birth date (decisions §2)', 'ageless', {}, 403, 'plan_birth_date_missing'],
    ['a member under 18 (decisions §2)', 'minor', {}, 403, 'plan_under_age'],
    ['a plan that does not exist', 'client', { planId: 'nothing' }, 404, 'plan_not_found'],
    ['an id that is none', 'client', { planId: '../etc' }, 400, 'general_argument_invalid'],
    ['an unknown field', 'client', { adminSetDone: true }, 400, 'general_argument_invalid'],
  ] as const)(
    'refuses %s and stores nothing',
    async ([_name, who, more, status, type], { database, planId, request, client, creator }) => {
      const senders = {
        client,
        creator,
        unverified: await insertMember(database),
        ageless: await insertMember(database, { verified: true, birthDate: null }),
        minor: await insertMember(database, {
          verified: true,
          birthDate: new Date().toISOString().slice(0, 10),
        }),
      };
      const { problem } = await request(senders[who], planId, more);
      expect(problem).toMatchObject({ code: status, type });
      expect(await database.$count(interactions, eq(interactions.planId, planId))).toBe(0);
    },
  );
});

test('refuses a plan whose creator lost the verified mark, until it is back', async ({
  database,
  creator,
  client,
  request,
}) => {
  const mark = (verified: boolean | null) =>
    database.update(profiles).set({ verified }).where(eq(profiles.id, creator.profileId));
  await mark(null);
  expect((await request(client)).problem).toMatchObject({ code: 409, type: 'plan_paused' });
  await mark(true);
  expect((await request(client)).status).toBe(200);
});

describe('who may read a request', () => {
  test('is readable by its parties and an admin, and by nobody else (§7-get-interaction)', async ({
    database,
    server,
    admin,
    creator,
    client,
    stranger,
    request,
  }) => {
    const { id } = (await request(client)).reply;
    await database
      .update(interactions)
      .set({ checkoutUrl: 'https://pay.example/x' })
      .where(eq(interactions.id, id));
    const read = (who: Member) => server.call(who, calls.interaction, { params: { id } });
    expect((await read(client)).reply.checkoutUrl).toBe('https://pay.example/x');
    expect((await read(creator)).reply.checkoutUrl).toBeNull();
    expect((await read(admin)).reply.checkoutUrl).toBeNull();
    expect((await read(stranger)).problem).toMatchObject({ code: 404, type: 'interaction_not_found' });
  });

  test('is announced to each party alone, the checkout only to the client', async ({
    database,
    platform,
    server,
    creator,
    client,
    request,
  }) => {
    const { id } = (await request(client)).reply;
    await database
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

describe('the steps of a request (§4-interaction)', () => {
  const now = new Date();
  const paid = { paidAt: now };
  const ready = { paidAt: now, acceptedAt: now };
  const done = { ...ready, userSetDoneAt: now };
  const completed = { ...done, adminSetDoneAt: now, completedAt: now };
  const cancelled = { cancelledAt: now };

  const allowed: [Step, Party, object, object][] = [
    ['acceptRequest', 'creator', {}, { accepted: true }],
    ['acceptRequest', 'creator', paid, { accepted: true, paid: true }],
    ['cancelRequest', 'client', {}, { cancelled: true }],
    ['cancelRequest', 'creator', { acceptedAt: now }, { cancelled: true }],
    ['markDone', 'client', ready, { userSetDone: true }],
    ['cardDown', 'client', paid, { cardDown: true }],
    ['cardDown', 'creator', {}, { cardDown: true }],
  ];
  test.for(allowed)(
    '%s by the %s in %o (§7-accept-request, §7-cancel-request, §7-plan-done, §7-card-down)',
    async ([name, who, state, after], { step, inserted, members }) => {
      const { reply } = await step(members[who], name, await inserted(state));
      expect(reply).toMatchObject(after);
    },
  );

  const refused: [Step, Party, object, number, string][] = [
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
  test.for(refused)(
    'not %s by the %s in %o',
    async ([name, who, state, status, reason], { database, step, inserted, members }) => {
      const id = await inserted(state);
      const read = () => database.select().from(interactions).where(eq(interactions.id, id));
      const before = await read();
      const { problem } = await step(members[who], name, id);
      expect(problem).toMatchObject(
        status === 404
          ? { code: 404, type: 'interaction_not_found' }
          : { code: 409, type: 'interaction_not_allowed', text: reason },
      );
      expect(await read()).toEqual(before);
    },
  );

  test('accepts once of two accepts at once, and makes the two friends of each other (§7-accept-request)', async ({
    database,
    creator,
    client,
    step,
    inserted,
  }) => {
    const id = await inserted({});
    const answers = await Promise.all([
      step(creator, 'acceptRequest', id),
      step(creator, 'acceptRequest', id),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const rows = await database.select().from(friends);
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ownerId: creator.profileId, friendId: client.profileId }),
        expect.objectContaining({ ownerId: client.profileId, friendId: creator.profileId }),
      ]),
    );
  });

  test('closes the payment link of a cancelled request by a job', async ({
    client,
    platform,
    step,
    inserted,
  }) => {
    const id = await inserted({ linkId: 'link_1', checkoutUrl: 'https://pay.example/z' });
    const { reply } = await step(client, 'cancelRequest', id);
    expect(reply.checkoutUrl).toBeNull();
    expect(await platform.jobs('payments.archiveLink')).toContainEqual({ interactionId: id });
  });

  test('puts each request into its lists, for each of its parties', async ({
    database,
    server,
    creator,
    client,
    stranger,
  }) => {
    // One open request per plan and member: each state gets its own plan.
    const plan = () => insertPlan(database, creator);
    const put = async (state: object) =>
      insertInteraction(database, { creator, client, planId: await plan() }, state);
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

  test('counts what its confirmed requests brought as earned by the plan', async ({
    database,
    server,
    creator,
    stranger,
    planId,
    inserted,
  }) => {
    const readAs = async (who: Member) =>
      (await server.call(who, planCalls.get, { params: { id: planId } })).reply.plan.earned;
    const read = () => readAs(creator);
    expect(await read()).toBeNull();
    await inserted(completed);
    await insertInteraction(database, { creator, client: stranger, planId }, ready);
    expect(await read()).toBe(250);
    await inserted({ ...completed, priceCentavos: 100_50 });
    expect(await read()).toBe(350.5);
    // An income is private (decisions §2).
    expect(await readAs(stranger)).toBeNull();
  });

  test('pages a list without gap or repeat (§7-list-interactions)', async ({
    database,
    server,
    creator,
    client,
  }) => {
    const ids: string[] = [];
    for (let count = 0; count < 13; count++) {
      const plan = await insertPlan(database, creator);
      ids.push(await insertInteraction(database, { creator, client, planId: plan }));
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

  test('shows an admin what waits for confirmation, oldest first, and nobody else', async ({
    database,
    server,
    admin,
    creator,
    stranger,
    inserted,
  }) => {
    const later = await inserted({ ...done, userSetDoneAt: new Date(Date.now() - 1000) });
    const other = await insertPlan(database, creator);
    const earlier = await insertInteraction(
      database,
      { creator, client: stranger, planId: other },
      { ...done, userSetDoneAt: new Date(Date.now() - 5000) },
    );
    const { reply } = await server.call(admin, adminCalls.awaitingPlans);
    const ids = reply.items.map(({ id }) => id).filter((id) => id === later || id === earlier);
    expect(ids).toEqual([earlier, later]);
    expect((await server.call(creator, adminCalls.awaitingPlans)).problem.type).toBe('admin_only');
  });

  test('pages what waits for confirmation by 20, until a page is empty (§7-list-admin-plans)', async ({
    database,
    server,
    admin,
    creator,
    client,
  }) => {
    for (let count = 0; count < 21; count++) {
      const planId = await insertPlan(database, creator);
      await insertInteraction(database, { creator, client, planId }, done);
    }
    const first = (await server.call(admin, adminCalls.awaitingPlans)).reply;
    expect(first.items).toHaveLength(20);
    const seen = first.items.map(({ id }) => id);
    for (let cursor = first.next; cursor; ) {
      const page = (await server.call(admin, adminCalls.awaitingPlans, { query: { cursor } })).reply;
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(20);
  });
});
