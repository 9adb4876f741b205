import { adminMoney } from '@tara/contract/money/admin-money';
import { caseFiles, type MoneyMatch } from '@tara/contract/money/case-files';
import { disputes } from '@tara/contract/money/disputes';
import { confirmationNumber } from '@tara/contract/money/payments';
import { and, eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { confirmed } from '../../testing/features/reviews.ts';
import { testServer } from '../../testing/server.ts';
import { accounts } from '../accounts/index.ts';
import { auditLog } from '../audit/index.ts';
import { disputeRoutes } from '../disputes/index.ts';
import { chargebacks, escrowRoutes, ledgerTransfers } from '../payments/index.ts';
import { caseFileRoutes } from './index.ts';

const test = paymentTest
  .extend('server', { scope: 'file' }, async ({ fixture }, { onCleanup }) => {
    const server = await testServer(fixture.platform, (app) => {
      caseFileRoutes(app, fixture.platform);
      disputeRoutes(app, fixture.platform);
      escrowRoutes(app, fixture.platform);
    });
    onCleanup(() => server.close());
    return server;
  })
  .extend('admin', { scope: 'file' }, ({ fixture }) => insertMember(fixture.database, { admin: true }))
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  .extend(
    'find',
    ({ server, admin }) =>
      async (search: string) =>
        (await server.call(admin, caseFiles.findMoney, { query: { search } })).reply.items,
  )
  /** A chargeback about the payment of a request, as the provider's events store it. */
  .extend('chargedBack', ({ fixture, requests }) => async (interactionId: string) => {
    const { paymentId, terms, planTitle } = await requests.row(interactionId);
    const id = `dsp_${interactionId}`;
    const evidence = { planTitle, terms, payments: [], referenceNumber: null };
    await fixture.database.insert(chargebacks).values({
      ...{ id, interactionId, paymentId: paymentId ?? '', amountCentavos: 250_00, evidence },
      reason: 'fraudulent',
      dueOn: '2026-01-09',
    });
    return id;
  })
  .extend(
    'openFile',
    ({ server }) =>
      (who: Member, chargebackId: string) =>
        server.call(who, caseFiles.openCaseFile, { body: { chargebackId } }),
  );

const ids = (matches: readonly MoneyMatch[]) => matches.map(({ id, matched }) => `${matched} ${id}`);

describe('a search of money', () => {
  test('finds a request by each id and number of it and its money, whole', async ({
    fixture,
    requests,
    chargedBack,
    find,
  }) => {
    const id = await requests.paid();
    const { paymentId, referenceNumber, linkId } = await requests.row(id);
    const chargebackId = await chargedBack(id);
    const owe = async (
      purpose: string,
      payment: string | null,
      ways: readonly (readonly [string, string])[],
    ) => {
      await fixture.sql`insert into disbursements (id, interaction_id, payment_id, purpose, recipient_id, way, amount_centavos)
        values (${`${purpose}_${id}`}, ${id}, ${payment}, ${purpose}, ${requests.client.profileId}, 'transfer', 100)`;
      for (const [index, [way, reference]] of ways.entries())
        await fixture.sql`insert into attempts (disbursement_id, number, way, key, amount_centavos, state, reference, ended_at)
          values (${`${purpose}_${id}`}, ${index + 1}, ${way}, ${way === 'hand' ? null : reference}, 100, 'refused', ${reference}, now())`;
    };
    await owe('payout', paymentId, [
      ['transfer', `tr_${id}`],
      ['hand', `BANK ${id}`],
    ]);
    const second = `pay_second_${id}`;
    await fixture.sql`insert into captured_payments (id, interaction_id, amount_centavos) values (${second}, ${id}, 100)`;
    await owe('refund', second, [['provider', `ref_${id}`]]);
    const [movement] = await fixture.database
      .select()
      .from(ledgerTransfers)
      .where(eq(ledgerTransfers.interactionId, id));
    expect(ids(await find(id))).toEqual([`request ${id}`]);
    expect(ids(await find(` ${referenceNumber} `))).toEqual([`request ${id}`]);
    expect(ids(await find(linkId ?? ''))).toEqual([`payment ${id}`]);
    expect(ids(await find(paymentId ?? ''))).toEqual([`payment ${id}`]);
    expect(ids(await find(confirmationNumber(movement?.id ?? 0)))).toEqual([`confirmation ${id}`]);
    expect(ids(await find(`ref_${id}`))).toEqual([`refund ${id}`]);
    expect(ids(await find(`tr_${id}`))).toEqual([`transfer ${id}`]);
    expect(ids(await find(`BANK ${id}`))).toEqual([`transfer ${id}`]);
    await fixture.sql`insert into manual_transfers (reference, disbursement_id, interaction_id, amount_centavos, state, problem)
      values (${`REFUSED ${id}`}, ${`payout_${id}`}, ${id}, 100, 'refused', 'It was not recorded.')`;
    expect(ids(await find(`REFUSED ${id}`))).toEqual([`transfer ${id}`]);
    expect(ids(await find(chargebackId))).toEqual([`chargeback ${id}`]);
    expect(await find(id.slice(0, -1))).toEqual([]);
    expect(await find('%')).toEqual([]);
    expect((await find(id))[0]).toMatchObject({ price: 250, stage: 'paid', planTitle: 'Coffee in Makati' });
  });

  test('finds the requests of a member, as client and creator, by username, email or id', async ({
    fixture,
    requests,
    find,
  }) => {
    const older = await requests.requested(0);
    const newer = await requests.requested(0);
    const { client, creator } = requests;
    const [profile] = await fixture.sql`select username from profiles where id = ${creator.profileId}`;
    const [account] = await fixture.database
      .select({ email: accounts.email })
      .from(accounts)
      .where(eq(accounts.id, client.accountId));
    const both = [`member ${newer}`, `member ${older}`];
    expect(ids(await find(client.profileId))).toEqual(both);
    expect(ids(await find(creator.accountId))).toEqual(both);
    expect(ids(await find(account?.email?.toUpperCase() ?? 'none'))).toEqual(both);
    const named = ids(await find(`@${profile?.username}`));
    expect(named).toEqual(expect.arrayContaining(both));
  });

  test('finds the newest 50 requests of a member', async ({ fixture: { database }, requests, find }) => {
    const { client, creator } = requests;
    const parties = { client, creator, planId: await insertPlan(database, creator) };
    const insertedIds: string[] = [];
    for (let index = 0; index < 51; index++)
      insertedIds.push(await insertInteraction(database, parties, confirmed));
    const matches = await find(client.profileId);
    expect(matches.map(({ id }) => id)).toEqual(insertedIds.slice(1).reverse());
  });
});

test('without a search the requests whose money moved last are found', async ({
  server,
  admin,
  requests,
}) => {
  const free = await requests.requested(0);
  const id = await requests.paid();
  const { items } = (await server.call(admin, caseFiles.findMoney, { query: {} })).reply;
  expect(ids(items)[0]).toBe(`movement ${id}`);
  expect(items.map((match) => match.id)).not.toContain(free);
});

describe('a timeline', () => {
  test('has what happened to a request and its money in order, with the provider’s ids and the movements', async ({
    server,
    admin,
    requests,
  }) => {
    const id = await requests.paid();
    const body = { interactionId: id, reason: 'Both asked for it' };
    expect((await server.call(admin, adminMoney.refundRequest, { body })).status).toBe(200);
    await expect.poll(async () => (await requests.row(id)).refundedAt, waitFor).not.toBeNull();
    const refund = await requests.outgoing(id, 'refund');
    const { paymentId, linkId } = await requests.row(id);
    const { reply } = await server.call(admin, caseFiles.timeline, { params: { id } });
    expect(reply.linkId).toBe(linkId);
    const events = reply.events.map(({ step, reference }) => [step, reference]);
    expect(events).toEqual(
      expect.arrayContaining([
        ['requested', null],
        ['captured', paymentId],
        ['refundOwed', null],
        ['refundSent', refund?.attempt?.reference],
        ['refunded', refund?.attempt?.reference],
        ['adminActed', `interaction:${id}`],
        ['cancelled', null],
      ]),
    );
    expect(events.filter(([step]) => step === 'refunded' || step === 'cancelled')).toHaveLength(2);
    const times = reply.events.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    const note = (wanted: string) => reply.events.find(({ step }) => step === wanted)?.note;
    expect([note('cancelled'), note('refundOwed')]).toEqual(['refunded: Both asked for it', '']);
    expect(reply.movements.map(({ kind }) => kind)).toEqual(['capture', 'refund']);
    expect(reply.movements[1]?.entries).toEqual([
      { account: 'escrow', owner: id, amount: 250 },
      { account: 'refunded', owner: id, amount: -250 },
    ]);
    const unknown = await server.call(admin, caseFiles.timeline, { params: { id: 'nothing' } });
    expect(unknown.problem.type).toBe('interaction_not_found');
  });

  test('has each sending of a payout with its refusal, and what left by hand and was not recorded', async ({
    fixture,
    server,
    admin,
    requests,
  }) => {
    const [id, other] = [await requests.paid(), await requests.paid()];
    const { paymentId } = await requests.row(id);
    await fixture.sql`insert into disbursements (id, interaction_id, payment_id, purpose, recipient_id, way, amount_centavos, problem)
      values (${id}, ${id}, ${paymentId}, 'payout', ${requests.creator.profileId}, 'transfer', 25000, 'No balance.')`;
    await fixture.sql`insert into attempts (disbursement_id, number, way, key, reference, amount_centavos, destination, state, ended_at,
        problem)
      values (${id}, 1, 'transfer', ${id}, 'tr_refused', 25000, '{"number":"09170000001","name":"Ana","bic":"GXCHPHM2XXX"}', 'refused',
        now(), 'Account closed.'), (${id}, 2, 'transfer', ${`${id}:2`}, null, 25000, null, 'sent', null, null)`;
    await fixture.sql`insert into manual_transfers (reference, disbursement_id, interaction_id, amount_centavos, state, problem)
      values (${`BANK${id}`}, ${id}, ${id}, 25000, 'refused', 'It was not recorded.'),
        (${`BOOKED${id}`}, ${id}, ${id}, 25000, 'booked', null),
        (${`OTHER${id}`}, ${id}, ${other}, 25000, 'refused', 'It was not recorded.')`;
    const { events } = (await server.call(admin, caseFiles.timeline, { params: { id } })).reply;
    expect(events.filter(({ step }) => step === 'transferRefused')).toMatchObject([
      { reference: `BANK${id}`, amount: 250, note: 'It was not recorded.' },
    ]);
    expect(events.filter(({ step }) => step.startsWith('payout'))).toMatchObject([
      ...[{ step: 'payoutOwed', amount: 250, note: 'No balance.' }],
      { step: 'payoutSent', reference: 'tr_refused', note: 'to 09170000001' },
      { step: 'payoutRefused', reference: 'tr_refused', note: 'Account closed.' },
      { step: 'payoutSent', reference: `${id}:2` },
    ]);
  });

  test('has a chargeback with its reason and how it ended, and that a refund goes by transfer', async ({
    fixture,
    server,
    admin,
    requests,
    chargedBack,
  }) => {
    const id = await requests.paid();
    const { paymentId } = await requests.row(id);
    await fixture.sql`insert into disbursements (id, interaction_id, payment_id, purpose, recipient_id, way, amount_centavos)
      values (${id}, ${id}, ${paymentId}, 'refund', ${requests.client.profileId}, 'transfer', 25000)`;
    const chargebackId = await chargedBack(id);
    const read = async () =>
      (await server.call(admin, caseFiles.timeline, { params: { id } })).reply.events
        .filter(({ step }) => /chargeback|refundOwed/.test(step))
        .map(({ step, amount, note }) => [step, amount, note]);
    const owed = ['refundOwed', 250, 'by transfer'];
    const opened = ['chargebackOpened', 250, 'fraudulent'];
    expect(await read()).toEqual([owed, opened]);
    for (const [state, step] of [
      ['won', 'chargebackWon'],
      ['lost', 'chargebackLost'],
    ] as const) {
      await fixture.sql`update chargebacks set state = ${state}, decided_at = now() where id = ${chargebackId}`;
      expect(await read()).toEqual([owed, opened, [step, 250, '']]);
    }
  });
});

describe('a case file', () => {
  test('has the plan as booked, the terms, the confirmations and what both wrote; each opening is audited (threat-admin-privacy)', async ({
    fixture,
    server,
    admin,
    requests,
    chargedBack,
    openFile,
  }) => {
    const id = await requests.fulfilled();
    await fixture.sql`update interactions set disputed_at = now() where id = ${id}`;
    await fixture.sql`insert into disputes (interaction_id, reason, story, answer, answered_at)
      values (${id}, 'absent', 'Nobody came.', 'I waited.', now())`;
    await fixture.sql`insert into dispute_messages (interaction_id, profile_id, position, message_id, body, sent_at) values
      (${id}, ${requests.client.profileId}, 0, 'm1', 'I am here.', '2026-01-01T02:00:00Z'),
      (${id}, ${requests.client.profileId}, 1, 'm2', 'Where are you?', '2026-01-01T02:05:00Z'),
      (${id}, ${requests.creator.profileId}, 0, 'm3', 'I come at six.', '2026-01-01T01:00:00Z')`;
    await fixture.sql`update interactions set admin_set_done_at = now(), completed_at = now() where id = ${id}`;
    const chargebackId = await chargedBack(id);
    const { paymentId, terms, referenceNumber, planId } = await requests.row(id);
    // What was booked stays.
    await fixture.sql`update plans set title = 'Tea', terms = 'Other terms than those that were accepted.' where id = ${planId}`;
    const { reply } = await openFile(admin, chargebackId);
    expect(reply).toMatchObject({
      chargeback: { id: chargebackId, paymentId, amount: 250, reason: 'fraudulent', state: 'open' },
      booked: { planTitle: 'Coffee in Makati', price: 250, terms, referenceNumber },
      confirmations: [{ kind: 'payment', amount: 250, reference: paymentId }],
      dispute: {
        client: {
          text: 'Nobody came.',
          messages: [
            { text: 'I am here.', sentAt: '2026-01-01T02:00:00.000Z' },
            { text: 'Where are you?', sentAt: '2026-01-01T02:05:00.000Z' },
          ],
        },
        creator: { text: 'I waited.', messages: [{ text: 'I come at six.' }] },
      },
    });
    expect(reply.steps.map(({ step }) => step)).toEqual(
      expect.arrayContaining(['requested', 'paid', 'accepted', 'fulfilled', 'disputed', 'confirmed']),
    );
    await openFile(admin, chargebackId);
    const { events } = (await server.call(admin, caseFiles.timeline, { params: { id } })).reply;
    expect(events.filter(({ step }) => step === 'adminActed')).toHaveLength(2);
    const openings = () =>
      fixture.database.$count(
        auditLog,
        and(eq(auditLog.action, 'dispute.file'), eq(auditLog.subject, `dispute:${chargebackId}`)),
      );
    expect(await openings()).toBe(2);
    expect((await openFile(admin, 'dsp_none')).problem.type).toBe('chargeback_not_found');
    for (const who of [requests.client, requests.creator])
      expect((await openFile(who, chargebackId)).problem.type).toBe('admin_only');
    expect(await openings()).toBe(2);
    expect((await server.call(requests.client, disputes.get, { params: { id } })).status).toBe(200);
  });

  test('is not opened by an admin who is a party, nor anything of money by a member', async ({
    fixture,
    server,
    requests,
    chargedBack,
    openFile,
  }) => {
    const id = await requests.paid();
    const chargebackId = await chargedBack(id);
    const { client } = requests;
    for (const call of [
      server.call(client, caseFiles.findMoney, { query: { search: id } }),
      server.call(client, caseFiles.timeline, { params: { id } }),
    ])
      expect((await call).problem.type).toBe('admin_only');
    await fixture.database
      .update(accounts)
      .set({ labels: ['admin'] })
      .where(eq(accounts.id, client.accountId));
    expect((await openFile(client, chargebackId)).problem.type).toBe('admin_own_record');
    const own = await server.call(client, caseFiles.timeline, { params: { id } });
    expect(own.problem.type).toBe('admin_own_record');
    expect(await fixture.database.$count(auditLog, eq(auditLog.subject, `dispute:${chargebackId}`))).toBe(0);
  });
});
