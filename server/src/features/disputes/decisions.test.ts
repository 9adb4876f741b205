import { admin as confirming } from '@tara/contract/money/confirmations';
import { disputes as calls, requestCases } from '@tara/contract/money/disputes';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertCapture } from '../../testing/features/captures.ts';
import { ago, price, disputeTest as test } from '../../testing/features/disputes.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember } from '../../testing/features/members.ts';
import { findInteraction, presentSteps, requestDecisions } from '../interactions/index.ts';
import { notifications } from '../notifications/index.ts';

describe('a decision', () => {
  test('releases all: the payout starts, both counts rise', async ({
    platform,
    disputed,
    decide,
    row,
    money,
    server,
    client,
    creator,
  }) => {
    const id = await disputed();
    platform.announced.length = 0;
    const shown = async () => (await server.call(client, calls.get, { params: { id } })).reply.request;
    expect(await shown()).toMatchObject({ disputed: true, decided: false });
    expect((await decide(id, { outcome: 'release' })).reply).toEqual({ status: 'ok' });
    const profiles = platform.announced.filter(({ collection }) => collection === 'users');
    expect(profiles).toMatchObject([
      { id: creator.profileId, document: { rating: { totalMeetings: 1 } } },
      { id: client.profileId, document: { rating: { totalMeetings: 1 } } },
    ]);
    expect(await row(id)).toMatchObject({
      ...{ stage: 'completed', releasedCentavos: price, refundCentavos: 0 },
      userSetDoneAt: expect.any(Date),
    });
    expect(await money(id)).toEqual({ held: 0, owed: price, refund: null, payout: price });
    const { reply } = await server.call(client, calls.get, { params: { id } });
    expect(reply.decision).toMatchObject({
      outcome: 'release',
      released: 250,
      refunded: 0,
      note: 'They did not meet.',
    });
    expect(await shown()).toMatchObject({ disputed: true, decided: true });
  });

  test('refunds all: the request is cancelled', async ({
    database,
    platform,
    disputed,
    decide,
    row,
    money,
  }) => {
    const id = await disputed({ userSetDoneAt: ago(2) });
    platform.announced.length = 0;
    expect((await decide(id, { outcome: 'refund' })).status).toBe(200);
    const decisions = await database
      .select()
      .from(requestDecisions)
      .where(eq(requestDecisions.interactionId, id));
    expect(decisions).toMatchObject([{ occasion: 'dispute', refundCentavos: price }]);
    // No profile: neither count rises.
    expect(new Set(platform.announced.map(({ collection }) => collection))).toEqual(
      new Set(['planInteractions']),
    );
    expect(await row(id)).toMatchObject({
      ...{ stage: 'cancelled', cancelReason: 'refunded', releasedCentavos: 0, refundCentavos: price },
      cancelNote: 'They did not meet.',
    });
    // Held until the provider has given it back.
    expect(await money(id)).toEqual({ held: price, owed: 0, refund: price, payout: null });
  });

  test('splits: completed, and both parts make the price', async ({
    disputed,
    decide,
    row,
    money,
    server,
    client,
  }) => {
    const id = await disputed();
    expect((await decide(id, { outcome: 'split', refundCentavos: 100_50 })).status).toBe(200);
    expect(await row(id)).toMatchObject({
      stage: 'completed',
      ...{ releasedCentavos: price - 100_50, refundCentavos: 100_50 },
    });
    expect(await money(id)).toEqual({
      held: 100_50,
      owed: price - 100_50,
      refund: 100_50,
      payout: price - 100_50,
    });
    const { reply } = await server.call(client, calls.get, { params: { id } });
    expect(reply.decision).toMatchObject({ outcome: 'split', released: 149.5, refunded: 100.5 });
    expect(reply.request.money).toMatchObject({
      state: 'owed',
      payout: { amount: 149.5 },
      refund: { amount: 100.5 },
    });
  });

  test.for([
    [{ outcome: 'split' }, 'general_argument_invalid'],
    [{ outcome: 'split', refundCentavos: 0 }, 'general_argument_invalid'],
    [{ outcome: 'split', refundCentavos: price }, 'general_argument_invalid'],
    [{ outcome: 'split', refundCentavos: 99 }, 'general_argument_invalid'],
    [{ outcome: 'split', refundCentavos: price - 99 }, 'general_argument_invalid'],
    [{ outcome: 'split', refundCentavos: 10.5 }, 'general_argument_invalid'],
    [{ outcome: 'release', refundCentavos: 10_00 }, 'general_argument_invalid'],
    [{ outcome: 'release', note: ' ' }, 'general_argument_invalid'],
    [{ outcome: 'keep' }, 'general_argument_invalid'],
  ] as const)('refuses %o', async ([decision, type], { disputed, decide, row }) => {
    const id = await disputed();
    expect((await decide(id, decision)).problem.type).toBe(type);
    expect((await row(id))?.stage).toBe('disputed');
  });

  test('is told to both parties once, with its note and the parts of the price', async ({
    database,
    client,
    creator,
    disputed,
    decide,
  }) => {
    const id = await disputed();
    await decide(id, { outcome: 'split', refundCentavos: 100_50 });
    const rows = await database.select().from(notifications).where(eq(notifications.interactionId, id));
    const decided = rows.filter(({ event }) => event === 'decided');
    expect(decided.map(({ profileId }) => profileId).sort()).toEqual(
      [client.profileId, creator.profileId].sort(),
    );
    for (const { details } of decided)
      expect(details).toEqual({
        ...{ outcome: 'split', note: 'They did not meet.', refunded: '10050' },
        ...{ earned: '14950', fee: '0' },
      });
  });

  test('of a request that was not accepted is a refund', async ({ disputed, decide, row }) => {
    const id = await disputed({ acceptedAt: null, dayStartsAt: null });
    for (const decision of [{ outcome: 'release' }, { outcome: 'split', refundCentavos: 100_00 }]) {
      const { problem } = await decide(id, decision);
      expect(problem).toMatchObject({
        type: 'request_decision_not_possible',
        text: expect.stringMatching(/never accepted/),
      });
    }
    expect((await decide(id, { outcome: 'refund' })).status).toBe(200);
    expect((await row(id))?.stage).toBe('cancelled');
  });

  test('is never about one’s own request, while the payment is frozen, or without a case (threat-admin-privacy)', async ({
    database,
    server,
    client,
    creator,
    stranger,
    held,
    open,
    decide,
  }) => {
    const party = await insertMember(database, { admin: true });
    const planId = await insertPlan(database, creator);
    const disputed = { paidAt: ago(3), disputedAt: ago(1) };
    const asCreator = { creator: party, client, planId: await insertPlan(database, party) };
    const ownRequests = [
      await insertInteraction(database, { creator, client: party, planId }, disputed),
      await insertInteraction(database, asCreator, disputed),
    ];
    for (const interactionId of ownRequests) {
      const { problem } = await decide(interactionId, { outcome: 'refund' }, party);
      expect(problem.type).toBe('admin_own_record');
      const look = await server.call(party, requestCases.planChat, { body: { interactionId } });
      expect(look.problem.type).toBe('admin_own_record');
    }
    const [own = ''] = ownRequests;
    await insertCapture(database, own, price);
    expect((await decide(own, { outcome: 'refund' })).status).toBe(200);
    // Decided, it is still about them.
    expect((await decide(own, { outcome: 'refund' }, party)).problem.type).toBe('admin_own_record');
    const frozen = await held({ disputedAt: ago(2), frozenAt: ago(1) });
    expect((await decide(frozen, { outcome: 'refund' })).problem.text).toMatch(/card issuer/);
    const usual = await held();
    expect((await decide(usual, { outcome: 'refund' })).problem.type).toBe('request_decision_not_possible');
    expect((await decide('nothing', { outcome: 'refund' })).problem.type).toBe('interaction_not_found');
    await open(usual);
    for (const who of [client, stranger])
      expect((await decide(usual, { outcome: 'refund' }, who)).problem.type).toBe('admin_only');
  });

  test('is made once by two admins at once, and the other one learns it (threat-admin-privacy)', async ({
    admin,
    otherAdmin,
    disputed,
    decide,
    money,
    row,
  }) => {
    const id = await disputed();
    const answers = await Promise.all([
      decide(id, { outcome: 'split', refundCentavos: 50_00 }, admin),
      decide(id, { outcome: 'refund' }, otherAdmin),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.problem).toMatchObject({
      type: 'request_decision_not_possible',
      text: 'This is already decided.',
    });
    const { releasedCentavos = 0, refundCentavos = 0 } = (await row(id)) ?? {};
    expect(releasedCentavos + refundCentavos).toBe(price);
    const { refund, payout } = await money(id);
    expect((refund ?? 0) + (payout ?? 0)).toBe(price);
  });
});

test('a confirmation and a dispute at once have one outcome', async ({
  server,
  admin,
  held,
  open,
  row,
  money,
}) => {
  for (let round = 0; round < 8; round += 1) {
    const id = await held({ userSetDoneAt: ago(1) });
    const confirm = () => server.call(admin, confirming.confirmPlans, { body: { interactionId: id } });
    const [one, other] = await Promise.all(round % 2 === 0 ? [confirm(), open(id)] : [open(id), confirm()]);
    expect([one.status, other.status].sort()).toEqual([200, 409]);
    const stage = (await row(id))?.stage;
    expect(['completed', 'disputed']).toContain(stage);
    expect((await money(id)).held).toBe(stage === 'completed' ? 0 : price);
  }
});

test.for([
  [{ outcome: 'release' }, 'decidedRelease'],
  [{ outcome: 'split', refundCentavos: 100_50 }, 'decidedSplit'],
  [{ outcome: 'refund' }, 'decidedRefund'],
] as const)(
  'of %s is a step of the request, and nothing that the client did not say',
  async ([decision, step], { database, disputed, decide }) => {
    const id = await disputed();
    await decide(id, decision);
    const row = await findInteraction(database, id);
    const steps = row === null ? [] : presentSteps(row).map((one) => one.step);
    expect(steps.at(-1)).toBe(step);
    expect(steps).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/fulfilled|confirmed|cancelled/)]),
    );
  },
);
