import { admin as adminCalls } from '@tara/contract/money/confirmations';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertMember, type Member, withOldPassword } from '../../testing/features/members.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { accounts } from '../accounts/tables.ts';
import { auditLog } from '../audit/tables.ts';
import { plans } from '../plans/index.ts';
import { profiles } from '../profiles/index.ts';
import { retryPayouts } from './disburse.ts';
import { heldFor, owedTo, platformFee, readBalance } from './ledger.ts';
import { disbursements, ledgerTransfers } from './tables.ts';

const test = paymentTest
  .extend('admin', { scope: 'file' }, ({ fixture }) => insertMember(fixture.database, { admin: true }))
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  .extend(
    'confirm',
    { scope: 'file' },
    ({ fixture }) =>
      (who: Member, interactionId: string, more: object = {}) =>
        fixture.server.call(who, adminCalls.confirmPlans, { body: { interactionId, ...more } }),
  );

test.afterEach(({ fixture }) => fixture.provider.clearFaults());

describe('the confirmation (§4)', () => {
  test('of a plan that the client marked as fulfilled sends its creator the payout (§1-plans)', async ({
    fixture,
    admin,
    requests,
    confirm,
  }) => {
    const id = await requests.paid();
    await requests.step(requests.creator, 'acceptRequest', id);
    expect((await requests.step(requests.client, 'markDone', id)).reply).toMatchObject({ userSetDone: true });
    expect(await requests.outgoing(id, 'payout')).toBeUndefined();
    expect((await confirm(admin, id)).status).toBe(200);
    await expect.poll(async () => (await requests.row(id)).paidOutAt, waitFor).not.toBeNull();
    const payout = await requests.outgoing(id, 'payout');
    const sent = await fixture.provider.client.transfers.findByReference(payout?.id ?? '');
    expect(sent).toMatchObject([{ amount: 250_00 }]);
  });

  test('pays the creator out, raises the counts, and is written to the audit log (§7-api-confirm-plans, §4-interaction, §4-interaction-admin-set-done, threat-admin-errors)', async ({
    fixture,
    admin,
    requests,
    confirm,
  }) => {
    const id = await requests.fulfilled();
    const forged = {
      creatorId: requests.client.profileId,
      clientId: requests.creator.profileId,
      id: 'x',
      id2: 'y',
    };
    fixture.platform.viewersChanged.length = 0;
    expect((await confirm(admin, id, forged)).reply).toEqual({ status: 'ok' });
    // Their open screens show the counts and the limit.
    expect(fixture.platform.viewersChanged).toEqual([requests.creator.accountId, requests.client.accountId]);
    expect((await requests.row(id)).adminSetDoneAt).not.toBeNull();
    await expect.poll(async () => (await requests.row(id)).paidOutAt, waitFor).not.toBeNull();
    expect(await requests.transfers(id)).toEqual(['capture', 'payout', 'release']);
    expect(await requests.notified(id)).toEqual([
      ...['accepted client', 'confirmed client', 'confirmed creator', 'fulfilled creator'],
      ...['paid client', 'paid creator', 'paidOut creator', 'payoutSent creator', 'requested creator'],
    ]);
    expect(await heldFor(fixture.database, id)).toBe(0);
    expect(await owedTo(fixture.database, requests.creator.profileId)).toBe(0);
    const counts = async (member: Member) =>
      (await fixture.database.select().from(profiles).where(eq(profiles.id, member.profileId)))[0];
    expect(await counts(requests.creator)).toMatchObject({ limitedPlan: 6, totalInteraction: 1 });
    expect(await counts(requests.client)).toMatchObject({ limitedPlan: 5, totalInteraction: 1 });
    const { planId } = await requests.row(id);
    const [plan] = await fixture.database.select().from(plans).where(eq(plans.id, planId));
    expect(plan).toMatchObject({ totalMeetings: 1, totalReviews: 0 });
    const payout = await requests.outgoing(id, 'payout');
    const [sent, ...more] = await fixture.provider.client.transfers.findByReference(payout?.id ?? '');
    expect(more).toEqual([]);
    expect(sent).toMatchObject({
      amount: 250_00,
      destination_account: { number: '09171234567', bic: 'GXCHPHM2XXX' },
    });
    const [line] = await fixture.database
      .select()
      .from(auditLog)
      .where(eq(auditLog.subject, `interaction:${id}`));
    expect(line).toMatchObject({ action: 'plan.confirm', actorAccountId: admin.accountId });
  });

  test('happens once of two admins at once; the other learns why not (threat-concurrent-requests, threat-backward-states)', async ({
    fixture,
    admin,
    requests,
    confirm,
  }) => {
    const second = await insertMember(fixture.database, { admin: true });
    const id = await requests.fulfilled();
    const answers = await Promise.all([confirm(admin, id), confirm(second, id), confirm(admin, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.problem).toMatchObject({
      type: 'plan_confirm_failed',
      title: 'Failed to confirm plan',
      text: 'This plan is already confirmed.',
    });
    await expect.poll(async () => (await requests.row(id)).paidOutAt, waitFor).not.toBeNull();
    expect(await requests.transfers(id)).toEqual(['capture', 'payout', 'release']);
  });

  test.for([
    ['not fulfilled yet', 'paid', 409, 'The client has not marked the plan as fulfilled yet.'],
    ['cancelled', 'cancelled', 409, 'This request was cancelled.'],
    ['of no request', 'missing', 404, undefined],
  ] as const)('is refused: %s', async ([_name, state, code, text], { fixture, admin, confirm, requests }) => {
    const id =
      state === 'missing' ? 'nothing' : await (state === 'paid' ? requests.paid() : requests.requested());
    if (state === 'cancelled') await requests.step(requests.client, 'cancelRequest', id);
    const before = await fixture.database.$count(ledgerTransfers);
    const { problem } = await confirm(admin, id);
    expect(problem).toMatchObject({ code, ...(text === undefined ? {} : { text }) });
    expect(await fixture.database.$count(ledgerTransfers)).toBe(before);
  });

  test('is an admin’s alone (§6-admin-confirm)', async ({ requests, confirm }) => {
    const id = await requests.fulfilled();
    for (const who of [requests.creator, requests.client])
      expect((await confirm(who, id)).problem.type).toBe('admin_only');
    expect((await requests.row(id)).completedAt).toBeNull();
  });

  test.for(['creator', 'client'] as const)(
    'is not made by an admin who is its %s (threat-admin-errors)',
    async (side, { fixture, requests, confirm }) => {
      const id = await requests.fulfilled();
      const party = requests[side];
      await fixture.database
        .update(accounts)
        .set({ labels: ['admin'] })
        .where(eq(accounts.id, party.accountId));
      const before = await fixture.database.$count(ledgerTransfers);
      const { problem } = await confirm(party, id);
      expect(problem).toMatchObject({ type: 'admin_own_record', code: 403 });
      expect((await requests.row(id)).completedAt).toBeNull();
      expect(await fixture.database.$count(ledgerTransfers)).toBe(before);
    },
  );

  test('is not made by a session that showed its password long ago', async ({ admin, requests, confirm }) => {
    const id = await requests.fulfilled();
    const { problem } = await confirm(withOldPassword(admin), id);
    expect(problem).toMatchObject({ type: 'user_recent_password_required', code: 403 });
    expect((await requests.row(id)).completedAt).toBeNull();
  });

  test('of a free plan moves no money', async ({ fixture, admin, requests, confirm }) => {
    const id = await requests.requested(0);
    await requests.step(requests.creator, 'acceptRequest', id);
    await requests.step(requests.client, 'markDone', id);
    expect((await confirm(admin, id)).status).toBe(200);
    expect(await requests.transfers(id)).toEqual([]);
    expect(await fixture.database.$count(disbursements, eq(disbursements.interactionId, id))).toBe(0);
  });
});

describe('a payout', () => {
  test('is what the platform fee leaves, to the centavo', async ({ fixture, admin, requests, confirm }) => {
    const id = await requests.fulfilled();
    // The terms of a request are never changed but by a test.
    await fixture.sql.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql`update interactions set platform_fee_basis_points = 333 where id = ${id}`;
    });
    const before = await readBalance(fixture.database, platformFee);
    await confirm(admin, id);
    await expect.poll(async () => (await requests.row(id)).paidOutAt, waitFor).not.toBeNull();
    // 3.33 % of ₱250.00 are ₱8.325.
    expect(await requests.outgoing(id, 'payout')).toMatchObject({ amountCentavos: 241_68 });
    expect((await readBalance(fixture.database, platformFee)) - before).toBe(-8_32);
    expect(await heldFor(fixture.database, id)).toBe(0);
    expect(await owedTo(fixture.database, requests.creator.profileId)).toBe(0);
  });

  test('waits until the creator gives a phone number', async ({ fixture, admin, requests, confirm }) => {
    requests = await openRequestFixture(fixture, { phoneNumber: '' });
    const id = await requests.fulfilled();
    await confirm(admin, id);
    await fixture.reconcile();
    expect(await requests.outgoing(id, 'payout')).toMatchObject({ state: 'owed' });
    expect(await owedTo(fixture.database, requests.creator.profileId)).toBe(250_00);
    await fixture.database
      .update(profiles)
      .set({ phoneNumber: '0917 765 4321' })
      .where(eq(profiles.id, requests.creator.profileId));
    await retryPayouts(fixture.context, requests.creator.profileId);
    await expect.poll(async () => (await requests.outgoing(id, 'payout'))?.state, waitFor).toBe('arrived');
  });

  test('leaves once although the answer was lost (threat-provider-failures, threat-paid-twice)', async ({
    fixture,
    admin,
    requests,
    confirm,
  }) => {
    await fixture.provider.fault({ kind: 'lose_answer', path: '/v2/batch_transfers', times: 2 });
    const id = await requests.fulfilled();
    await confirm(admin, id);
    await expect
      .poll(async () => {
        await fixture.reconcile();
        return (await requests.row(id)).paidOutAt;
      }, waitFor)
      .not.toBeNull();
    const payout = await requests.outgoing(id, 'payout');
    expect(await fixture.provider.client.transfers.findByReference(payout?.id ?? '')).toHaveLength(1);
    expect(await requests.transfers(id)).toEqual(['capture', 'payout', 'release']);
  });

  test('that the receiver refused is sent again once its number was put right', async ({
    fixture,
    admin,
    requests,
    confirm,
  }) => {
    // The sandbox's account that is not active.
    requests = await openRequestFixture(fixture, { phoneNumber: '999999990004' });
    const id = await requests.fulfilled();
    await confirm(admin, id);
    await expect
      .poll(async () => (await requests.outgoing(id, 'payout'))?.problem, waitFor)
      .toContain('inactive');
    expect(await requests.outgoing(id, 'payout')).toMatchObject({ state: 'owed', attempts: 1 });
    await fixture.database
      .update(profiles)
      .set({ phoneNumber: '09177654321' })
      .where(eq(profiles.id, requests.creator.profileId));
    await retryPayouts(fixture.context, requests.creator.profileId);
    await expect.poll(async () => (await requests.outgoing(id, 'payout'))?.state, waitFor).toBe('arrived');
    const payout = await requests.outgoing(id, 'payout');
    const sent = await fixture.provider.client.transfers.findByReference(payout?.id ?? '');
    expect(sent.map(({ status }) => status).sort()).toEqual(['failed', 'succeeded']);
    expect(await owedTo(fixture.database, requests.creator.profileId)).toBe(0);
  });
});
