import { nowMs } from '@tara/contract/clock';
import { PaymongoError } from '@tara/paymongo';
import { expect } from 'vitest';
import { type JobHelpers, RetryLater } from '../../platform/jobs/task.ts';
import { paymentTest as test } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture } from '../../testing/features/request-fixture.ts';
import { providerEvents } from './tables.ts';
import { paymentTasks } from './tasks.ts';

test('a 429 sets every job that meets it back by its Retry-After', async ({ fixture }) => {
  const tooMany = async () => {
    throw new PaymongoError(429, [], 'Too many requests', 90_000);
  };
  const { client } = fixture.provider;
  /** Every call of the provider's client. */
  const refused = (calls: object) =>
    Object.fromEntries(Object.keys(calls).map((name) => [name, tooMany])) as never;
  const provider = Object.fromEntries(
    Object.entries(client).map(([name, calls]) => [name, refused(calls)]),
  ) as unknown as typeof client;
  const handlers = paymentTasks(fixture.platform, provider);
  const { signal } = new AbortController();
  const helpers = { log: fixture.platform.log, attempt: 1, maxAttempts: 2, signal };
  const requests = await openRequestFixture(fixture);
  const cancelled = await requests.requested();
  await requests.step(requests.client, 'cancelRequest', cancelled);
  const [withoutLink, overdue] = [await requests.requested(), await requests.requested()];
  await fixture.sql`update interactions set link_id = null, checkout_url = null where id = ${withoutLink}`;
  await fixture.sql`update interactions set pay_until = now() - interval '1 day' where id = ${overdue}`;
  const { id: disbursementId } = await requests.owed('payout');
  const eventId = `evt_${disbursementId}`;
  const transfer = { id: 'tr_1', type: 'transfer', attributes: { reference_number: disbursementId } };
  const type = 'transfer.outward.succeeded';
  const attributes = { type, livemode: false, data: transfer, created_at: 1, updated_at: 1 };
  const payload = { data: { id: eventId, type: 'event', attributes } };
  await fixture.database.insert(providerEvents).values({ id: eventId, type, payload });
  const jobs = {
    'payments.createLink': { interactionId: withoutLink },
    'payments.archiveLink': { interactionId: cancelled },
    'payments.disburse': { disbursementId },
    'payments.event': { eventId },
    'payments.deadlines': {},
    'payments.checkLedger': {},
    'payments.watch': {},
    'payments.reconcile': {},
  };
  const outcomes: Record<string, unknown> = {};
  for (const [name, job] of Object.entries(jobs)) {
    const before = nowMs();
    const handle = handlers[name as keyof typeof handlers] as (
      job: object,
      helpers: JobHelpers,
    ) => Promise<void>;
    const error = await handle(job, helpers).catch((thrown: unknown) => thrown);
    outcomes[name] = error instanceof RetryLater ? error.until.getTime() - before >= 90_000 : error;
  }
  expect(outcomes).toEqual(Object.fromEntries(Object.keys(jobs).map((name) => [name, true])));
  // It asks the provider nothing.
  expect(Object.keys(handlers).filter((name) => !Object.hasOwn(jobs, name))).toEqual(['payments.payoutsOf']);
});
