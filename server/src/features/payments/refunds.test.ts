import { type Paymongo, PaymongoError, PaymongoUnreachable } from '@tara/paymongo';
import { describe, expect } from 'vitest';
import { readDisbursement } from '../../testing/features/disbursements.ts';
import { paymentTest } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { disburse } from './disburse.ts';
import { heldFor } from './ledger.ts';

type Create = Paymongo['refunds']['create'];

const test = paymentTest
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  /** A refund that is owed and has no job: each test runs it by itself. */
  .extend('refund', ({ requests }) => requests.owed('refund'))
  .extend(
    'readRefund',
    ({ fixture, refund }) =>
      () =>
        readDisbursement(fixture.database, refund.id),
  )
  /** Runs the refund; `keys` are those under which it was sent, and `answers` what is thrown for the first ones. */
  .extend('answering', ({ fixture, refund: { id } }) => (...answers: unknown[]) => {
    const keys: (string | undefined)[] = [];
    const { client } = fixture.provider;
    const create: Create = async (refund, key) => {
      keys.push(key);
      const answer = answers.shift();
      if (answer !== undefined) throw answer;
      return client.refunds.create(refund, key);
    };
    const provider: Paymongo = { ...client, refunds: { ...client.refunds, create } };
    return { keys, run: () => disburse({ ...fixture.context, provider }, id).catch(() => undefined) };
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
    async ([_name, answer], { refund: { id }, readRefund, answering }) => {
      const { keys, run } = answering(answer);
      await run();
      await run();
      expect(keys).toEqual([`${id}:1`, `${id}:1`]);
      expect(await readRefund()).toMatchObject({
        attempts: 1,
        attempt: { reference: expect.stringMatching(/^ref_/) },
      });
    },
  );

  test('that was definitely refused is sent again under a new key', async ({
    refund: { id },
    readRefund,
    answering,
  }) => {
    const { keys, run } = answering(refusal(400, 'available_balance_insufficient'));
    await run();
    expect(await readRefund()).toMatchObject({ attempts: 1, problem: 'available_balance_insufficient' });
    await run();
    expect(keys).toEqual([`${id}:1`, `${id}:2`]);
    expect(await readRefund()).toMatchObject({ problem: null });
  });

  test('that failed on its way is sent again under a new key, and booked once', async ({
    fixture,
    requests,
    refund: { id, interactionId },
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
        return (await readRefund()).state;
      }, waitFor)
      .toBe('arrived');
    expect(keys).toEqual([`${id}:1`, `${id}:2`]);
    expect(await heldFor(fixture.database, interactionId)).toBe(0);
    const { attributes } = await fixture.provider.client.payments.get(
      (await requests.row(interactionId)).paymentId ?? '',
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
        return (await readRefund()).problem;
      }, waitFor)
      .toBe('The refund failed.');
    await fixture.provider.clearFaults();
    await expect.poll(async () => (await readRefund()).state, waitFor).toBe('arrived');
  });
});
