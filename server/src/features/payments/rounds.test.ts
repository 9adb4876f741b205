import { PaymongoUnreachable } from '@tara/paymongo';
import { afterEach, expect, vi } from 'vitest';
import { waitFor } from '../../testing/features/request-fixture.ts';
import { test } from '../../testing/test.ts';
import { startPayments } from './tasks.ts';

afterEach(() => void vi.useRealTimers());

test('what is open at the provider is compared at the start and every half minute, also while the provider is away', async ({
  platform,
}) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const list = async () => {
    throw new PaymongoUnreachable('timeout', 'GET /v1/webhooks');
  };
  const payments = await startPayments(
    platform,
    { webhooks: { list } } as never,
    'https://tara.example/api/payment/webhook',
  );
  for (let round = 0; round < 3; round++) {
    await expect
      .poll(() => platform.takeJobs(), waitFor)
      .toEqual([{ task: 'payments.reconcile', payload: {} }]);
    vi.advanceTimersByTime(30_000);
  }
  payments.stop();
});
