import { nowDate } from '@tara/contract/clock';
import { interactions as calls } from '@tara/contract/interactions/interactions';
import { plans as planCalls } from '@tara/contract/plans/plans';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertPlan } from '../../testing/features/interactions.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { test } from '../../testing/features/requests.ts';
import { plans } from '../plans/index.ts';
import { profiles } from '../profiles/index.ts';
import { interactions } from './tables.ts';

describe('sending a request (§4, §7)', () => {
  test('stores it unpaid and asks for a payment link in the same transaction (§4-interaction-created, §7-provider-request-record, §3-plan-interaction-paid, §7-api-create-interaction, §7-search-interactions)', async ({
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
    const openFor = async (who: Member) =>
      (await server.call(who, planCalls.get, { params: { id: planId } })).reply.openInteractionId;
    expect([await openFor(client), await openFor(creator)]).toEqual([reply.id, null]);
  });

  test('reads price and parties from the plan, whatever the client sends (mass assignment) (threat-mass-assignment)', async ({
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

  test('allows one open request per member and plan, also when both are sent at once (§4-send-request-once, §7-provider-request-once, §5-one-request, §8-duplicate-request, threat-concurrent-requests)', async ({
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

  test('allows a new request after the earlier was cancelled, which is not found any more (§7-search-interactions)', async ({
    server,
    client,
    planId,
    request,
  }) => {
    const first = (await request(client)).reply;
    await server.call(client, calls.cancelRequest, { body: { interactionId: first.id } });
    const plan = (await server.call(client, planCalls.get, { params: { id: planId } })).reply;
    expect(plan.openInteractionId).toBeNull();
    expect((await request(client)).reply.id).not.toBe(first.id);
  });

  test.for([
    ['one’s own plan (§6-own-plan)', 'creator', {}, 403, 'interaction_own_plan'],
    [
      'an unverified member (§4-send-request-verified, §6-verified-requests)',
      'unverified',
      {},
      403,
      'plan_creator_unverified',
    ],
    ['a member without a birth date (decisions §2)', 'ageless', {}, 403, 'plan_birth_date_missing'],
    ['a member under 18 (decisions §2)', 'minor', {}, 403, 'plan_under_age'],
    ['a plan that does not exist', 'client', { planId: 'nothing' }, 404, 'plan_not_found'],
    ['an invalid id', 'client', { planId: '../etc' }, 400, 'general_argument_invalid'],
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
          birthDate: nowDate().toISOString().slice(0, 10),
        }),
      };
      const { problem } = await request(senders[who], planId, more);
      expect(problem).toMatchObject({ code: status, type });
      expect(await database.$count(interactions, eq(interactions.planId, planId))).toBe(0);
    },
  );
});

test('refuses a plan that an admin removed, as one that does not exist', async ({
  database,
  client,
  planId,
  request,
}) => {
  await database.update(plans).set({ removedAt: nowDate() }).where(eq(plans.id, planId));
  expect((await request(client)).problem).toMatchObject({ code: 404, type: 'plan_not_found' });
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
  test('is readable by its parties and an admin, and by nobody else (§7-get-interaction, threat-guessed-ids)', async ({
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

  test('is announced to each party alone, the checkout only to the client (threat-leaking-replies)', async ({
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
    // The acceptance made the two friends; no other step does.
    const both = [client.profileId, creator.profileId];
    const friendLists = () =>
      platform.announced.filter((change) => change.collection === 'friendLists' && both.includes(change.id));
    expect(friendLists()).toHaveLength(2);
    await server.call(creator, calls.cardDown, { body: { interactionId: id } });
    expect(friendLists()).toHaveLength(2);
  });
});
