import { admin as adminCalls } from '@tara/contract/confirmations';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertMember, type Member, withOldPassword } from '../../testing/members.ts';
import { newScene, waitFor } from '../../testing/scene.ts';
import { tillTest } from '../../testing/till.ts';
import { accounts } from '../accounts/tables.ts';
import { auditLog } from '../audit/tables.ts';
import { plans } from '../plans/index.ts';
import { profiles } from '../profiles/index.ts';
import { balanceOf, heldFor, owedTo, platformFee } from './ledger.ts';
import { payOutsOf } from './payouts.ts';
import { ledgerTransfers, payouts } from './tables.ts';

const test = tillTest
  .extend('admin', { scope: 'file' }, ({ till }) => insertMember(till.database, { admin: true }))
  .extend('scene', ({ till }) => newScene(till))
  .extend(
    'confirm',
    { scope: 'file' },
    ({ till }) =>
      (who: Member, interactionId: string, more: object = {}) =>
        till.server.call(who, adminCalls.confirmPlans, { body: { interactionId, ...more } }),
  )
  .extend(
    'payoutOf',
    { scope: 'file' },
    ({ till }) =>
      async (id: string) =>
        (await till.database.select().from(payouts).where(eq(payouts.interactionId, id)))[0],
  );

test.afterEach(({ till }) => till.provider.clearFaults());

describe('the confirmation (§4)', () => {
  test('pays the creator out, raises the counts, and is written to the audit log (§7-api-confirm-plans, §4-interaction)', async ({
    till,
    admin,
    scene,
    confirm,
  }) => {
    const id = await scene.fulfilled();
    const forged = {
      creatorId: scene.client.profileId,
      clientId: scene.creator.profileId,
      id: 'x',
      id2: 'y',
    };
    till.platform.viewersChanged.length = 0;
    expect((await confirm(admin, id, forged)).reply).toEqual({ status: 'ok' });
    // Their open screens show the counts and the limit.
    expect(till.platform.viewersChanged).toEqual([scene.creator.accountId, scene.client.accountId]);
    await expect.poll(async () => (await scene.row(id)).paidOutAt, waitFor).not.toBeNull();
    expect(await scene.transfers(id)).toEqual(['capture', 'payout', 'release']);
    expect(await heldFor(till.database, id)).toBe(0);
    expect(await owedTo(till.database, scene.creator.profileId)).toBe(0);
    const counts = async (member: Member) =>
      (await till.database.select().from(profiles).where(eq(profiles.id, member.profileId)))[0];
    expect(await counts(scene.creator)).toMatchObject({ limitedPlan: 6, totalInteraction: 1 });
    expect(await counts(scene.client)).toMatchObject({ limitedPlan: 5, totalInteraction: 1 });
    const { planId } = await scene.row(id);
    const [plan] = await till.database.select().from(plans).where(eq(plans.id, planId));
    expect(plan).toMatchObject({ totalMeetings: 1, totalReviews: 0 });
    const [sent, ...more] = await till.provider.client.transfers.findByReference(id);
    expect(more).toEqual([]);
    expect(sent).toMatchObject({
      amount: 250_00,
      destination_account: { number: '09171234567', bic: 'GXCHPHM2XXX' },
    });
    const [line] = await till.database
      .select()
      .from(auditLog)
      .where(eq(auditLog.subject, `interaction:${id}`));
    expect(line).toMatchObject({ action: 'plan.confirm', actorAccountId: admin.accountId });
  });

  test('happens once of two admins at once; the other learns why not', async ({
    till,
    admin,
    scene,
    confirm,
  }) => {
    const second = await insertMember(till.database, { admin: true });
    const id = await scene.fulfilled();
    const answers = await Promise.all([confirm(admin, id), confirm(second, id), confirm(admin, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.problem).toMatchObject({
      type: 'plan_confirm_failed',
      title: 'Failed to confirm plan',
      text: 'This plan is already confirmed.',
    });
    await expect.poll(async () => (await scene.row(id)).paidOutAt, waitFor).not.toBeNull();
    expect(await scene.transfers(id)).toEqual(['capture', 'payout', 'release']);
  });

  test.for([
    ['not fulfilled yet', 'paid', 409, 'The client has not marked the plan as fulfilled yet.'],
    ['cancelled', 'cancelled', 409, 'This request was cancelled.'],
    ['of no request', 'missing', 404, undefined],
  ] as const)('is refused: %s', async ([_name, state, code, text], { till, admin, confirm, scene }) => {
    const id = state === 'missing' ? 'nothing' : await (state === 'paid' ? scene.paid() : scene.requested());
    if (state === 'cancelled') await scene.step(scene.client, 'cancelRequest', id);
    const before = await till.database.$count(ledgerTransfers);
    const { problem } = await confirm(admin, id);
    expect(problem).toMatchObject({ code, ...(text === undefined ? {} : { text }) });
    expect(await till.database.$count(ledgerTransfers)).toBe(before);
  });

  test('is an admin’s alone (§6-admin)', async ({ scene, confirm }) => {
    const id = await scene.fulfilled();
    for (const who of [scene.creator, scene.client])
      expect((await confirm(who, id)).problem.type).toBe('admin_only');
    expect((await scene.row(id)).completedAt).toBeNull();
  });

  test.for(['creator', 'client'] as const)(
    'is not made by an admin who is its %s',
    async (side, { till, scene, confirm }) => {
      const id = await scene.fulfilled();
      const party = scene[side];
      await till.database
        .update(accounts)
        .set({ labels: ['admin'] })
        .where(eq(accounts.id, party.accountId));
      const before = await till.database.$count(ledgerTransfers);
      const { problem } = await confirm(party, id);
      expect(problem).toMatchObject({ type: 'admin_own_record', code: 403 });
      expect((await scene.row(id)).completedAt).toBeNull();
      expect(await till.database.$count(ledgerTransfers)).toBe(before);
    },
  );

  test('is not made by a session that showed its password long ago', async ({ admin, scene, confirm }) => {
    const id = await scene.fulfilled();
    const { problem } = await confirm(withOldPassword(admin), id);
    expect(problem).toMatchObject({ type: 'user_recent_password_required', code: 403 });
    expect((await scene.row(id)).completedAt).toBeNull();
  });

  test('of a free plan moves no money', async ({ till, admin, scene, confirm }) => {
    const id = await scene.requested(0);
    await scene.step(scene.creator, 'acceptRequest', id);
    await scene.step(scene.client, 'markDone', id);
    expect((await confirm(admin, id)).status).toBe(200);
    expect(await scene.transfers(id)).toEqual([]);
    expect(await till.database.$count(payouts, eq(payouts.interactionId, id))).toBe(0);
  });
});

describe('a payout', () => {
  test('is what the platform fee leaves, to the centavo', async ({
    till,
    admin,
    scene,
    confirm,
    payoutOf,
  }) => {
    const id = await scene.fulfilled();
    // The terms of a request are never changed but by a test.
    await till.sql.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql`update interactions set platform_fee_basis_points = 333 where id = ${id}`;
    });
    const before = await balanceOf(till.database, platformFee);
    await confirm(admin, id);
    await expect.poll(async () => (await scene.row(id)).paidOutAt, waitFor).not.toBeNull();
    // 3.33 % of ₱250.00 are ₱8.325.
    expect(await payoutOf(id)).toMatchObject({ amountCentavos: 241_68 });
    expect((await balanceOf(till.database, platformFee)) - before).toBe(-8_32);
    expect(await heldFor(till.database, id)).toBe(0);
    expect(await owedTo(till.database, scene.creator.profileId)).toBe(0);
  });

  test('waits until the creator gives a phone number', async ({ till, admin, scene, confirm, payoutOf }) => {
    scene = await newScene(till, { phoneNumber: '' });
    const id = await scene.fulfilled();
    await confirm(admin, id);
    await till.reconcile();
    expect(await payoutOf(id)).toMatchObject({ state: 'owed' });
    expect(await owedTo(till.database, scene.creator.profileId)).toBe(250_00);
    await till.database
      .update(profiles)
      .set({ phoneNumber: '0917 765 4321' })
      .where(eq(profiles.id, scene.creator.profileId));
    await payOutsOf(till.context, scene.creator.profileId);
    await expect.poll(async () => (await payoutOf(id))?.state, waitFor).toBe('paid');
  });

  test('leaves once although the answer was lost', async ({ till, admin, scene, confirm }) => {
    await till.provider.fault({ kind: 'lose_answer', path: '/v2/batch_transfers', times: 2 });
    const id = await scene.fulfilled();
    await confirm(admin, id);
    await expect
      .poll(async () => {
        await till.reconcile();
        return (await scene.row(id)).paidOutAt;
      }, waitFor)
      .not.toBeNull();
    expect(await till.provider.client.transfers.findByReference(id)).toHaveLength(1);
    expect(await scene.transfers(id)).toEqual(['capture', 'payout', 'release']);
  });

  test('that the receiver refused is sent again once its number was put right', async ({
    till,
    admin,
    scene,
    confirm,
    payoutOf,
  }) => {
    // The sandbox's account that is not active.
    scene = await newScene(till, { phoneNumber: '999999990004' });
    const id = await scene.fulfilled();
    await confirm(admin, id);
    await expect.poll(async () => (await payoutOf(id))?.lastError, waitFor).toContain('inactive');
    expect(await payoutOf(id)).toMatchObject({ state: 'sending', attempt: 2, transferId: null });
    await till.database
      .update(profiles)
      .set({ phoneNumber: '09177654321' })
      .where(eq(profiles.id, scene.creator.profileId));
    await payOutsOf(till.context, scene.creator.profileId);
    await expect.poll(async () => (await payoutOf(id))?.state, waitFor).toBe('paid');
    const sent = await till.provider.client.transfers.findByReference(id);
    expect(sent.map(({ status }) => status).sort()).toEqual(['failed', 'succeeded']);
    expect(await owedTo(till.database, scene.creator.profileId)).toBe(0);
  });
});
