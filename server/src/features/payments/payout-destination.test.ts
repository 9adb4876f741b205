import { type Paymongo, PaymongoError, PaymongoUnreachable, type Transfer } from '@tara/paymongo';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { openLog } from '../../platform/log.ts';
import { readDisbursement } from '../../testing/features/disbursements.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { readInteraction } from '../interactions/index.ts';
import { profiles } from '../profiles/index.ts';
import { disburse } from './disburse.ts';
import { attempts, disbursements } from './tables.ts';

const test = paymentTest
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  /** A payout that is owed and has no job: each test runs it by itself. */
  .extend('payout', ({ requests }) => requests.owed('payout'))
  .extend(
    'readPayout',
    ({ fixture, payout }) =>
      () =>
        readDisbursement(fixture.database, payout.id),
  )
  /** As if the number had been changed so many hours ago. */
  .extend(
    'changeNumber',
    ({ fixture, requests }) =>
      (phoneNumber: string, hoursAgo: number) =>
        fixture.sql`update profiles set phone_number = ${phoneNumber},
    payout_number_from = now() + make_interval(hours => ${24 - hoursAgo}) where id = ${requests.creator.profileId}`,
  )
  /** The provider's answers to the next orders; what was ordered is written down. */
  .extend('answering', ({ fixture, payout: { id } }) => (...answers: unknown[]) => {
    const sent: { number: string; key: string }[] = [];
    const { client } = fixture.provider;
    const create: Create = async (order, key) => {
      sent.push({ number: order.destination_account.number, key });
      const answer = answers.shift();
      if (answer !== undefined) throw answer;
      return client.transfers.create(order, key);
    };
    const provider: Paymongo = { ...client, transfers: { ...client.transfers, create } };
    return { sent, run: () => disburse({ ...fixture.context, provider }, id).catch(() => undefined) };
  });

type Create = Paymongo['transfers']['create'];
const refusal = (status: number, code: string, detail = code) =>
  new PaymongoError(status, [{ code, detail }], {});

test('nothing that the provider wrote about a payout is in the log (threat-leaked-secrets)', async ({
  fixture,
  payout: { id },
  readPayout,
}) => {
  const lines: string[] = [];
  const log = openLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } });
  const { client } = fixture.provider;
  const create: Create = async () => {
    throw refusal(422, 'account_closed', 'The account 09171234567 of Ana Reyes is closed.');
  };
  const provider: Paymongo = { ...client, transfers: { ...client.transfers, create } };
  await disburse({ ...fixture.context, log, provider }, id);
  expect((await readPayout()).problem).toContain('Ana Reyes');
  expect(lines.join('')).toContain('a disbursement was refused');
  expect(lines.join('')).not.toMatch(/Ana Reyes|0917/);
});

describe('an attempt at a payout', () => {
  test.for([
    ['a lost answer', new PaymongoUnreachable('timeout', 'POST /v2/batch_transfers')],
    ['an unreadable answer', new PaymongoUnreachable('unreadable', 'POST /v2/batch_transfers')],
    ['a 500', refusal(500, 'internal_error')],
    ['a 429', refusal(429, 'too_many_requests')],
    ['a 401', refusal(401, 'authentication_failed')],
    ['a 400 without a reason', new PaymongoError(400, [], '<h1>Bad request</h1>')],
    ['an idempotency key in use', refusal(409, 'idempotency_in_progress')],
    ['an idempotency key with other content', refusal(400, 'idempotency_key_mismatch')],
    [
      'the same said only in words',
      refusal(422, 'parameter_invalid', 'The Idempotency-Key was used before.'),
    ],
  ] as const)(
    'pays nobody a second time, and no other number, after %s (threat-payout-retries)',
    async ([_name, answer], { payout: { id }, readPayout, changeNumber, answering }) => {
      const { sent, run } = answering(answer);
      await run();
      await changeNumber('09990000000', 48);
      await run();
      expect(sent).toEqual([
        { number: '09171234567', key: `${id}:1` },
        { number: '09171234567', key: `${id}:1` },
      ]);
      expect(await readPayout()).toMatchObject({ attempts: 1 });
    },
  );

  test.for([
    ['the destination', refusal(400, 'parameter_invalid', 'The destination account is not active.')],
    ['the balance', refusal(422, 'insufficient_balance')],
  ] as const)(
    'that was definitely refused because of %s is followed by one with a new key and number (threat-payout-retries)',
    async ([name, answer], { fixture, requests, payout, readPayout, changeNumber, answering }) => {
      const { id, interactionId } = payout;
      const { sent, run } = answering(answer);
      await run();
      expect(await readPayout()).toMatchObject({ state: 'owed', attempts: 1 });
      // Its creator can do nothing about the balance.
      const notified = (await requests.notified(interactionId)).filter((text) => text.startsWith('payout'));
      expect(notified).toEqual(name === 'the balance' ? [] : ['payoutRefused creator']);
      await changeNumber('09187654321', 48);
      await run();
      expect(sent).toEqual([
        { number: '09171234567', key: `${id}:1` },
        { number: '09187654321', key: `${id}:2` },
      ]);
      const stored = await fixture.database.select().from(attempts).where(eq(attempts.disbursementId, id));
      expect(stored.map(({ number, state }) => [number, state]).sort()).toEqual([
        [1, 'refused'],
        [2, 'sent'],
      ]);
    },
  );

  test('is what its creator is told of once for each number, however often it is sent there', async ({
    fixture,
    requests,
    payout: { id, interactionId },
    changeNumber,
  }) => {
    const { client } = fixture.provider;
    const pending = async (key: string) =>
      ({ id: `tr_${key}`, reference_number: id, status: 'pending', amount: 250_00 }) as Transfer;
    const create: Create = (_order, key) => pending(key);
    const get = async (reference: string): Promise<Transfer> => ({
      ...(await pending(reference)),
      ...{ id: reference, status: 'failed', provider_error: 'The account is not active.' },
    });
    const provider: Paymongo = { ...client, transfers: { ...client.transfers, create, get } };
    const notified = async (times: number) => {
      for (let time = 0; time < times; time++) await disburse({ ...fixture.context, provider }, id);
      return (await requests.notified(interactionId)).filter((text) => text.startsWith('payout'));
    };
    // The number that is named later is known from another payout.
    const other = await requests.owed('payout');
    await changeNumber('09187654321', 48);
    await disburse({ ...fixture.context, provider }, other.id);
    await changeNumber('09171234567', 48);
    // One to send it, one to look at it.
    expect(await notified(2)).toEqual(['payoutRefused creator', 'payoutSent creator']);
    expect(await notified(4)).toHaveLength(2);
    await changeNumber('09187654321', 48);
    expect(await notified(4)).toEqual([
      ...['payoutRefused creator', 'payoutRefused creator', 'payoutSent creator', 'payoutSent creator'],
    ]);
    expect(await fixture.database.$count(attempts, eq(attempts.disbursementId, id))).toBe(5);
  });

  test('is one, also when it is begun twice at once while the number changes', async ({
    fixture,
    payout: { id },
    changeNumber,
    answering,
  }) => {
    const { sent, run } = answering();
    await Promise.all([run(), changeNumber('09187654321', 48).then(run), run()]);
    expect(new Set(sent.map(({ number, key }) => `${number} ${key}`)).size).toBe(1);
    const transfers = await fixture.provider.client.transfers.findByReference(id);
    expect(transfers).toHaveLength(1);
  });

  test.for([
    ['update attempts set destination = $${"number":"1"}$$ where disbursement_id = ', '23001'],
    ['update attempts set key = $$other$$ where disbursement_id = ', '23001'],
    ['update attempts set amount_centavos = 1 where disbursement_id = ', '23001'],
    ['delete from attempts where disbursement_id = ', '23001'],
    [
      'insert into attempts (number, way, key, amount_centavos, disbursement_id) select 2, $$transfer$$, $$x$$, 1, ',
      '23505',
    ],
  ] as const)(
    'is changed by nobody in the database: %s (threat-payout-retries)',
    async ([statement, code], { fixture, payout: { id }, answering }) => {
      const { run } = answering(refusal(500, 'internal_error'));
      await run();
      await expect(fixture.sql.unsafe(`${statement} '${id}'`)).rejects.toMatchObject({ code });
    },
  );
});

test('a payout goes to the name that was verified, whatever its creator is called now', async ({
  fixture,
  requests,
  readPayout,
  answering,
}) => {
  await fixture.database
    .update(profiles)
    .set({ name: 'Bea Reyes', verified: null, verifiedName: 'Ana Reyes' })
    .where(eq(profiles.id, requests.creator.profileId));
  await answering().run();
  expect((await readPayout()).attempt?.destination).toMatchObject({ name: 'Ana Reyes' });
});

test('a refund by a transfer leaves the wait of a payout for a changed number as it is', async ({
  fixture,
  requests,
  payout: { interactionId },
  changeNumber,
  answering,
}) => {
  await changeNumber('09187654321', 1);
  await answering().run();
  const { paymentId, payoutWaitsUntil } = await requests.row(interactionId);
  expect(payoutWaitsUntil).not.toBeNull();
  const refund = `back-${interactionId}`;
  await fixture.database.insert(disbursements).values({
    ...{ id: refund, interactionId, paymentId: paymentId ?? '', amountCentavos: 1_00 },
    ...{ recipientId: requests.client.profileId, purpose: 'refund', way: 'transfer', number: '09171234567' },
  });
  await disburse(fixture.context, refund);
  expect((await requests.row(interactionId)).payoutWaitsUntil).toEqual(payoutWaitsUntil);
});

describe('a changed phone number', () => {
  test('gets no payout for 24 hours; its creator, and nobody else, is shown until when (threat-changed-payout-number)', async ({
    fixture,
    requests,
    payout: { interactionId: id },
    readPayout,
    changeNumber,
    answering,
  }) => {
    await changeNumber('09187654321', 1);
    const others = await openRequestFixture(fixture);
    const other = await others.owed('payout');
    const { sent, run } = answering();
    fixture.platform.announced.length = 0;
    await run();
    expect(fixture.platform.announced.map((change) => change.id)).toContain(id);
    expect((await requests.row(other.interactionId)).payoutWaitsUntil).toBeNull();
    await fixture.reconcile();
    expect(sent).toEqual([]);
    expect(await readPayout()).toMatchObject({ state: 'owed', attempts: 0 });
    const [profile] = await fixture.database
      .select()
      .from(profiles)
      .where(eq(profiles.id, requests.creator.profileId));
    const shown = async (who: typeof requests.creator) =>
      (await readInteraction(fixture.database, who, id)).money.payout?.until;
    expect(await shown(requests.creator)).toBe(profile?.payoutNumberFrom?.toISOString());
    expect(await shown(requests.client)).toBeNull();
  });

  test('is used once the 24 hours are over, without anyone asking for it', async ({
    fixture,
    requests,
    payout: { id: payout, interactionId: id },
    changeNumber,
    answering,
  }) => {
    await changeNumber('09187654321', 1);
    await answering().run();
    // The clock moves on by a day.
    await fixture.sql`update profiles set payout_number_from = payout_number_from - interval '1 day' where id = ${requests.creator.profileId}`;
    await fixture.sql`update interactions set payout_waits_until = payout_waits_until - interval '1 day' where id = ${id}`;
    await fixture.sql`update disbursements set updated_at = now() - interval '1 day' where interaction_id = ${id}`;
    await fixture.reconcile();
    await expect.poll(async () => (await requests.row(id)).paidOutAt, waitFor).not.toBeNull();
    const [transfer] = await fixture.provider.client.transfers.findByReference(payout);
    expect(transfer?.destination_account.number).toBe('09187654321');
    expect((await requests.row(id)).payoutWaitsUntil).toBeNull();
  });
});
