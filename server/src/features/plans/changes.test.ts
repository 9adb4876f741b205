import { nowDate } from '@tara/contract/clock';
import { interactions as requests } from '@tara/contract/interactions/interactions';
import { plans as calls, type Plan } from '@tara/contract/plans/plans';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertInteraction } from '../../testing/features/interactions.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { test as planTest } from '../../testing/features/plans.ts';
import { interactions } from '../interactions/index.ts';
import { notifications } from '../notifications/index.ts';
import { planPhotos, plans } from './tables.ts';
import { closePlansAboveLimit } from './write.ts';

const test = planTest
  .extend(
    'upload',
    { scope: 'file' },
    ({ database }) =>
      (owner: Member) =>
        insertPicture(database, { ownerAccountId: owner.accountId }),
  )
  .extend('member', ({ database }) => insertMember(database, { verified: true }))
  .extend('client', ({ database }) => insertMember(database, { verified: true }))
  .extend(
    'change',
    { scope: 'file' },
    ({ server }) =>
      (who: Member, plan: Plan, changes: Record<string, unknown> = {}) => {
        const { title, desc, time, durationMinutes, place, price, terms } = plan;
        const pictures = { imageId: plan.cover.imageId, imageIds: plan.photos.map(({ imageId }) => imageId) };
        const fields = { title, desc, time, durationMinutes, place, price, terms, ...pictures };
        return server.call(who, calls.update, { body: { ...fields, planId: plan.id, ...changes } });
      },
  )
  .extend(
    'act',
    { scope: 'file' },
    ({ server }) =>
      (who: Member, verb: 'close' | 'reopen', planId: string) =>
        server.call(who, calls[verb], { body: { planId } }),
  )
  .extend('ask', { scope: 'file' }, ({ server }) => (who: Member, planId: string) => {
    return server.call(who, requests.createInteraction, { body: { planId } });
  });

const photoIds = (plan: Plan) => plan.photos.map(({ imageId }) => imageId);

describe('editing a plan', () => {
  test('changes every field; a request keeps the title and price it was sent with', async ({
    database,
    client,
    member,
    madeBy,
    change,
    ask,
    upload,
  }) => {
    const plan = await madeBy(member);
    expect((await ask(client, plan.id)).status).toBe(200);
    const changes = {
      title: 'Tea in Taguig',
      desc: 'Two hours.',
      time: '5-7 pm',
      durationMinutes: 150,
      place: 'Venice Piazza',
      price: 900,
      terms: 'Bring your own cup, please.',
      imageId: await upload(member),
    };
    const { reply } = await change(member, plan, changes);
    const { imageId, ...fields } = changes;
    expect(reply).toMatchObject({ ...fields, id: plan.id, cover: { imageId, alt: 'Tea in Taguig' } });
    expect(reply.editedAt).not.toBeNull();
    const [request] = await database.select().from(interactions).where(eq(interactions.planId, plan.id));
    expect(request).toMatchObject({ planTitle: 'Coffee in Makati', priceCentavos: 250_50 });
  });

  test('keeps the order of the photos, lets one become the cover, and gives up those that left', async ({
    platform,
    member,
    madeBy,
    change,
    upload,
  }) => {
    const [one, two, three] = [await upload(member), await upload(member), await upload(member)];
    const plan = await madeBy(member, { imageIds: [one, two] });
    expect(photoIds(plan)).toEqual([one, two]);
    const cover = plan.cover.imageId;
    await platform.takeJobs();
    const changed = (await change(member, plan, { imageId: two, imageIds: [three, cover] })).reply;
    expect([changed.cover.imageId, ...photoIds(changed)]).toEqual([two, three, cover]);
    expect(await platform.takeJobs()).toMatchObject([{ task: 'files.remove', payload: { id: one } }]);
  });

  test.for([
    [
      'another’s upload',
      async (_own: string, other: string) => ({ imageIds: [other] }),
      'storage_file_not_found',
    ],
    ['the cover among the photos', async (own: string) => ({ imageIds: [own] }), 'general_argument_invalid'],
  ] as const)(
    'refuses %s and changes nothing',
    async ([_name, pictures, type], { database, member, visitor, madeBy, change, upload }) => {
      const plan = await madeBy(member, { imageIds: [await upload(member)] });
      const body = await pictures(plan.cover.imageId ?? '', await upload(visitor));
      const { problem } = await change(member, plan, { title: 'New', ...body });
      expect(problem).toMatchObject({ type, fields: { imageIds: expect.any(String) } });
      expect(await database.$count(planPhotos, eq(planPhotos.planId, plan.id))).toBe(1);
      const [row] = await database.select().from(plans).where(eq(plans.id, plan.id));
      expect(row).toMatchObject({ title: 'Coffee in Makati', editedAt: null });
    },
  );

  test('is its creator’s alone, and of no removed plan', async ({
    database,
    client,
    member,
    madeBy,
    change,
    act,
  }) => {
    const admin = await insertMember(database, { admin: true, verified: true });
    const plan = await madeBy(member);
    const attempts = (who: Member) => [
      change(who, plan),
      act(who, 'close', plan.id),
      act(who, 'reopen', plan.id),
    ];
    for (const who of [client, admin]) {
      for (const { problem } of await Promise.all(attempts(who)))
        expect(problem.type).toBe('user_unauthorized');
    }
    await database.update(plans).set({ removedAt: nowDate() }).where(eq(plans.id, plan.id));
    for (const { problem } of await Promise.all(attempts(member)))
      expect(problem.type).toBe('plan_not_found');
  });
});

describe('closing a plan', () => {
  test('takes no new requests while open ones go on, and others no longer find it in the list', async ({
    server,
    database,
    client,
    member,
    madeBy,
    act,
    ask,
    readProfile,
  }) => {
    const plan = await madeBy(member);
    const { id } = (await ask(client, plan.id)).reply;
    expect((await act(member, 'close', plan.id)).reply.closedAt).not.toBeNull();
    expect(await readProfile(member)).toMatchObject({ totalPlan: 1 });
    const late = await insertMember(database, { verified: true });
    expect((await ask(late, plan.id)).problem).toMatchObject({ code: 409, type: 'plan_closed' });
    const accepted = await server.call(member, requests.acceptRequest, { body: { interactionId: id } });
    expect(accepted.reply).toMatchObject({ accepted: true });
    const listed = async (who: Member) =>
      (await server.call(who, calls.byCreator, { params: { id: member.profileId } })).reply.items.length;
    expect([await listed(member), await listed(client)]).toEqual([1, 0]);
    const page = await server.call(late, calls.get, { params: { id: plan.id } });
    expect(page.reply.plan.closedAt).not.toBeNull();
  });

  test('frees a place for one that was never requested, once; opening it again takes a place', async ({
    member,
    client,
    madeBy,
    act,
    readProfile,
    server,
    form,
  }) => {
    const plan = await madeBy(member);
    const open = await madeBy(member);
    for (let count = 2; count < 5; count++) await madeBy(member);
    // One that is open takes no second place.
    expect((await act(member, 'reopen', open.id)).status).toBe(200);
    const both = await Promise.all([act(member, 'close', plan.id), act(member, 'close', plan.id)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await readProfile(member)).toMatchObject({ totalPlan: 4 });
    // One place, two takers.
    const answers = await Promise.all([
      act(member, 'reopen', plan.id),
      server.call(member, calls.create, { body: await form(member) }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.problem.type).toBe('plan_limit_reached');
    expect(await readProfile(member)).toMatchObject({ totalPlan: 5 });
    // The places are those of the creator alone.
    await act(member, 'close', open.id);
    await act(member, 'reopen', open.id);
    expect(await readProfile(member)).toMatchObject({ totalPlan: 5 });
    expect(await readProfile(client)).toMatchObject({ totalPlan: 0 });
  });

  test('keeps the place of one that was requested, also when it is opened at the limit', async ({
    database,
    client,
    member,
    madeBy,
    act,
    readProfile,
  }) => {
    const plan = await madeBy(member);
    await insertInteraction(
      database,
      { creator: member, client, planId: plan.id },
      { cancelledAt: nowDate(), cancelledBy: client.profileId },
    );
    await act(member, 'close', plan.id);
    for (let count = 1; count < 5; count++) await madeBy(member);
    expect((await act(member, 'reopen', plan.id)).reply.closedAt).toBeNull();
    expect((await act(member, 'reopen', plan.id)).status).toBe(200);
    expect(await readProfile(member)).toMatchObject({ totalPlan: 5, limitedPlan: 5 });
  });

  test('a request and a closing at once leave a request of a counted plan, or none', async ({
    database,
    madeBy,
    act,
    ask,
    readProfile,
  }) => {
    for (let round = 0; round < 10; round++) {
      const creator = await insertMember(database, { verified: true });
      const client = await insertMember(database, { verified: true });
      const plan = await madeBy(creator);
      const [sent] = await Promise.all([ask(client, plan.id), act(creator, 'close', plan.id)]);
      expect(await readProfile(creator)).toMatchObject({ totalPlan: sent.status === 200 ? 1 : 0 });
    }
  });

  test('is done again when a deadlock undoes it', async ({ connection, member, madeBy, act }) => {
    const plan = await madeBy(member);
    const planLocked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    // Locks the plan first and its creator's row then; the call does it the other way round.
    const other = connection.sql.begin(async (sql) => {
      // Who first notices the deadlock is undone, which has to be the call.
      await sql`set local deadlock_timeout = '1min'`;
      await sql`select from plans where id = ${plan.id} for update`;
      planLocked.resolve();
      await release.promise;
      await sql`select from profiles where id = ${member.profileId} for update`;
    });
    await planLocked.promise;
    const closed = act(member, 'close', plan.id);
    await expect
      .poll(
        async () => {
          const [row] = await connection.sql`select count(*)::int as count from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`;
          return row?.count;
        },
        { timeout: 30_000, interval: 5 },
      )
      .toBeGreaterThan(0);
    release.resolve();
    expect((await closed).status).toBe(200);
    await other;
  });
});

describe('a plan that is dearer than one payout carries', () => {
  test('is closed at the start, once, with its creator notified; open requests go on', async ({
    platform,
    database,
    server,
    client,
    member,
    madeBy,
    act,
    change,
    ask,
    readProfile,
  }) => {
    const dear = await madeBy(member, { price: 900 });
    const requested = await madeBy(member, { price: 900.01 });
    const cheap = await madeBy(member, { price: 899.99 });
    const removed = await madeBy(member, { price: 900 });
    await database.update(plans).set({ removedAt: nowDate() }).where(eq(plans.id, removed.id));
    const { id } = (await ask(client, requested.id)).reply;
    const limited = { ...platform, config: { ...platform.config, payoutLimitCentavos: 899_99 } };
    await closePlansAboveLimit(limited);
    await closePlansAboveLimit(limited);
    const closed = async (plan: Plan) =>
      (await server.call(member, calls.get, { params: { id: plan.id } })).reply.plan.closedAt !== null;
    expect([await closed(dear), await closed(requested), await closed(cheap)]).toEqual([true, true, false]);
    // The one that nobody requested no longer counts.
    expect(await readProfile(member)).toMatchObject({ totalPlan: 3 });
    const own = await database
      .select()
      .from(notifications)
      .where(eq(notifications.profileId, member.profileId));
    expect(own.filter(({ event }) => event === 'planPriceAboveLimit').map(({ details }) => details)).toEqual([
      { title: dear.title, limit: '89999' },
      { title: dear.title, limit: '89999' },
    ]);
    const accepted = await server.call(member, requests.acceptRequest, { body: { interactionId: id } });
    expect(accepted.reply).toMatchObject({ accepted: true });
    // With the usual limit of the server it can be opened again.
    expect((await act(member, 'reopen', dear.id)).reply.closedAt).toBeNull();
    expect(await readProfile(member)).toMatchObject({ totalPlan: 4 });
    expect((await change(member, dear, { price: 50_001 })).problem).toMatchObject({
      fields: { price: 'The price must be at most ₱50,000.00.' },
    });
  });

  test('is opened again only below the limit', async ({ database, member, madeBy, act, change }) => {
    const plan = await madeBy(member);
    await act(member, 'close', plan.id);
    await database.update(plans).set({ priceCentavos: 50_000_01 }).where(eq(plans.id, plan.id));
    expect((await act(member, 'reopen', plan.id)).problem).toMatchObject({
      ...{ code: 409, type: 'plan_price_above_limit' },
    });
    expect((await change(member, plan, { price: 50_000 })).status).toBe(200);
    expect((await act(member, 'reopen', plan.id)).reply.closedAt).toBeNull();
  });
});
