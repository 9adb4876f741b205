import { nowDate, nowMs } from '@tara/contract/clock';
import { interactions as calls } from '@tara/contract/interactions/interactions';
import { receipts } from '@tara/contract/messages/receipts';
import { admin as adminCalls } from '@tara/contract/money/confirmations';
import { plans as planCalls } from '@tara/contract/plans/plans';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { chatActions } from '../../testing/features/chats.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import type { Member } from '../../testing/features/members.ts';
import { type Step, test } from '../../testing/features/requests.ts';
import { friends } from '../profiles/index.ts';
import { interactions } from './tables.ts';

type Party = 'creator' | 'client' | 'stranger' | 'admin';

describe('the steps of a request', () => {
  const now = nowDate();
  const paid = { paidAt: now };
  const ready = { paidAt: now, acceptedAt: now };
  const done = { ...ready, userSetDoneAt: now };
  const completed = { ...done, adminSetDoneAt: now, completedAt: now, releasedCentavos: 250_00 };
  const cancelled = { cancelledAt: now };

  const allowed: [string, Step, Party, object, object][] = [
    [
      'the creator accepts an unpaid request (§7-accept-request, §4-interaction-accepted)',
      ...(['acceptRequest', 'creator', {}, { accepted: true }] as const),
    ],
    [
      'the creator accepts a paid request (§7-accept-request, §4-interaction-accepted)',
      ...(['acceptRequest', 'creator', paid, { accepted: true, paid: true }] as const),
    ],
    [
      'the client cancels a request (§7-cancel-request)',
      ...(['cancelRequest', 'client', {}, { cancelled: true }] as const),
    ],
    [
      'the creator cancels an accepted request (§7-cancel-request)',
      ...(['cancelRequest', 'creator', { acceptedAt: now }, { cancelled: true }] as const),
    ],
    [
      'the client marks the plan as fulfilled, which sets userSetDone (§7-plan-done, §4-interaction-user-set-done, §6-client-fulfils)',
      ...(['markDone', 'client', ready, { userSetDone: true }] as const),
    ],
    [
      'the client puts the card down (§7-card-down, §4-card-down)',
      ...(['cardDown', 'client', paid, { cardDown: true }] as const),
    ],
    [
      'the creator puts the card down (§7-card-down, §4-card-down)',
      ...(['cardDown', 'creator', {}, { cardDown: true }] as const),
    ],
  ];
  test.for(allowed)('%s', async ([_title, name, who, state, after], { step, inserted, members }) => {
    const { reply } = await step(members[who], name, await inserted(state));
    expect(reply).toMatchObject(after);
  });

  const refused: [Step, Party, object, number, string][] = [
    ['acceptRequest', 'client', {}, 409, 'Only the creator accepts.'],
    ['acceptRequest', 'creator', { acceptedAt: now }, 409, 'This request is already accepted.'],
    ['acceptRequest', 'creator', cancelled, 409, 'This request was cancelled.'],
    ['acceptRequest', 'stranger', {}, 404, ''],
    ['acceptRequest', 'admin', {}, 409, 'Only the creator accepts.'],
    ['cancelRequest', 'client', done, 409, 'This plan is already fulfilled.'],
    ['cancelRequest', 'creator', done, 409, 'This plan is already fulfilled.'],
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

  test('accepts once of two accepts at once, and makes the two friends of each other (§7-accept-request, threat-concurrent-requests)', async ({
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

  test('the creator accepts a paid request, and its chat opens, in which both write (§1-plans-chat)', async ({
    server,
    creator,
    client,
    step,
    inserted,
  }) => {
    const interactionId = await inserted(paid);
    expect((await step(creator, 'acceptRequest', interactionId)).reply).toMatchObject({ accepted: true });
    const body = { interactionId };
    const { id } = (await server.call(creator, receipts.createConversationReceipt, { body })).reply;
    const chat = chatActions(server);
    await chat.send(creator, id, 'See you at the pier');
    await chat.send(client, id, 'On my way');
    const { interaction, messages } = (await chat.read(client, id)).reply;
    expect(interaction).toMatchObject({ id: interactionId, accepted: true, conversationReceipt: id });
    // Before them stands what Tara says of the payment.
    expect(messages.items.slice(0, 2).map((message) => message.body)).toEqual([
      'On my way',
      'See you at the pier',
    ]);
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

  test('puts each request into its lists for both parties: pending, accepted and not done, history with userSetDone (§4-interaction-created, §4-interaction-accepted, §4-interaction-user-set-done)', async ({
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
    await inserted({ ...completed, priceCentavos: 100_50, releasedCentavos: 100_50 });
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
    const later = await inserted({ ...done, userSetDoneAt: new Date(nowMs() - 1000) });
    const other = await insertPlan(database, creator);
    const earlier = await insertInteraction(
      database,
      { creator, client: stranger, planId: other },
      { ...done, userSetDoneAt: new Date(nowMs() - 5000) },
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
    // Neither not fulfilled yet, nor confirmed before, nor disputed.
    const otherIds: string[] = [];
    for (const state of [ready, completed, { ...done, disputedAt: now }]) {
      const planId = await insertPlan(database, creator);
      otherIds.push(await insertInteraction(database, { creator, client, planId }, state));
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
    expect(seen.filter((id) => otherIds.includes(id))).toEqual([]);
  });
});
