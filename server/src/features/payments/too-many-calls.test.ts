import { nowMs } from '@tara/contract/clock';
import { PaymongoError } from '@tara/paymongo';
import { expect } from 'vitest';
import { RetryLater } from '../../platform/jobs/task.ts';
import { paymentTest as test } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture } from '../../testing/features/request-fixture.ts';
import { paymentTasks } from './tasks.ts';

test('a 429 sets the jobs that meet it back by its Retry-After', async ({ fixture }) => {
  const tooMany = async () => {
    throw new PaymongoError(429, [], 'Too many requests', 90_000);
  };
  const { client } = fixture.provider;
  const payments = { ...client.payments, list: tooMany };
  const links = { ...client.links, get: tooMany, archive: tooMany };
  const handlers = paymentTasks(fixture.platform, { ...client, payments, links });
  const { signal } = new AbortController();
  const helpers = { log: fixture.platform.log, attempt: 1, maxAttempts: 2, signal };
  const requests = await openRequestFixture(fixture);
  const interactionId = await requests.requested();
  await requests.step(requests.client, 'cancelRequest', interactionId);
  for (const work of [
    () => handlers['payments.archiveLink']({ interactionId }, helpers),
    () => handlers['payments.reconcile']({}, helpers),
  ]) {
    const before = nowMs();
    const error = await work().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RetryLater);
    expect(error instanceof RetryLater && error.until.getTime() - before).toBeGreaterThanOrEqual(90_000);
  }
});
