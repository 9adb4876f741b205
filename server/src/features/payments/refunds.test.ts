import { type Paymongo, PaymongoError, PaymongoUnreachable } from '@tara/paymongo';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { heldFor } from './ledger.ts';
import { payBack } from './refunds.ts';
import { refunds } from './tables.ts';

type Create = Paymongo['refunds']['create'];

const test = paymentTest
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  /** A request whose refund is owed and has no job: each test runs it by itself. */
  .extend('id', async ({ fixture, requests }): Promise<string> => {
    const interactionId = await requests.paid();
    const { paymentId, priceCentavos: amountCentavos } = await requests.row(interactionId);
    if (paymentId === null) throw new Error('the payment has no name');
    await fixture.database
      .insert(refunds)
      .values({ id: interactionId, interactionId, paymentId, amountCentavos });
    return interactionId;
  })
  .extend(
    'readRefund',
    ({ fixture, id }) =>
      async () =>
        (await fixture.database.select().from(refunds).where(eq(refunds.interactionId, id)))[0],
  )
  /** Runs the refund; `keys` are those under which it was sent, and `answers` what is thrown for the first ones. */
  .extend('answering', ({ fixture, id }) => (...answers: unknown[]) => {
    const keys: (string | undefined)[] = [];
    const { client } = fixture.provider;
    const create: Create = async (refund, key) => {
      keys.push(key);
      const answer = answers.shift();
      if (answer !== undefined) throw answer;
      return client.refunds.create(refund, key);
    };
    const provider: Paymongo = { ...client, refunds: { ...client.refunds, create } };
    return { keys, run: () => payBack({ ...fixture.context, provider }, id).catch(() => undefined) };
  });

test.afterEach(({ fixture }) => fixture.provider.clearFaults());

const refusal = (status: number, code: string) => new PaymongoError(status, [{ code, detail: code }], {});

describe('a refund', () => {
  test.for([
    ['a lost answer', new PaymongoUnreachable('timeout', 'POST /v1/refunds')],
    ['a 500', refusal(500, 'internal_error')],
    ['a 429', refusal(429, 'too_many_requests')],
    ['an idempotency key in use', refusal(409, 'idempotency_in_progress')],
    ['an idempotency key with other content', refusal(400, 'idempotency_key_mismatch')],
  ] as const)(
    'is sent under the same key after %s',
    async ([_name, answer], { id, readRefund, answering }) => {
      const { keys, run } = answering(answer);
      await run();
      await run();
      expect(keys).toEqual([`refund-${id}-1`, `refund-${id}-1`]);
      expect(await readRefund()).toMatchObject({ attempt: 1, refundId: expect.stringMatching(/^ref_/) });
    },
  );

  test('that was definitely refused is sent again under a new key', async ({ id, readRefund, answering }) => {
    const { keys, run } = answering(refusal(400, 'available_balance_insufficient'));
    await run();
    expect(await readRefund()).toMatchObject({ attempt: 2, lastError: 'available_balance_insufficient' });
    await run();
    expect(keys).toEqual([`refund-${id}-1`, `refund-${id}-2`]);
    expect(await readRefund()).toMatchObject({ lastError: null });
  });

  test('that failed on its way is sent again under a new key, and booked once', async ({
    fixture,
    requests,
    id,
    readRefund,
    answering,
  }) => {
    // A delivery would start a job that sends the refund besides.
    await fixture.provider.fault({ kind: 'drop_deliveries', event: 'payment.refund' });
    await fixture.provider.fault({ kind: 'fail_refund', times: 1 });
    const { keys, run } = answering();
    await expect
      .poll(async () => {
        await run();
        return (await readRefund())?.state;
      }, waitFor)
      .toBe('refunded');
    expect(keys).toEqual([`refund-${id}-1`, `refund-${id}-2`]);
    expect(await heldFor(fixture.database, id)).toBe(0);
    const { attributes } = await fixture.provider.client.payments.get(
      (await requests.row(id)).paymentId ?? '',
    );
    const states = attributes.refunds?.map((refund) => refund.attributes.status).sort();
    expect(states).toEqual(['failed', 'succeeded']);
  });

  test('that failed on its way is sent again some seconds later, though nobody asks', async ({
    fixture,
    readRefund,
    answering,
  }) => {
    await fixture.provider.fault({ kind: 'drop_deliveries', event: 'payment.refund' });
    await fixture.provider.fault({ kind: 'fail_refund', times: 1 });
    const { run } = answering();
    await expect
      .poll(async () => {
        await run();
        return (await readRefund())?.lastError;
      }, waitFor)
      .toBe('The refund failed.');
    await fixture.provider.clearFaults();
    await expect.poll(async () => (await readRefund())?.state, waitFor).toBe('refunded');
  });
});
