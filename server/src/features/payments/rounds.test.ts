import { PaymongoUnreachable } from '@tara/paymongo';
import { afterEach, expect, vi } from 'vitest';
import { waitFor } from '../../testing/features/request-fixture.ts';
import { test } from '../../testing/test.ts';
import { startPayments } from './tasks.ts';

afterEach(() => void vi.useRealTimers());

const away = {
  webhooks: {
    list: async () => {
      throw new PaymongoUnreachable('timeout', 'GET /v1/webhooks');
    },
  },
} as never;
const webhookUrl = 'https://tara.example/api/payment/webhook';

test('what is open at the provider is compared at the start and every half minute, also while the provider is away', async ({
  platform,
}) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const payments = await startPayments(platform, away, webhookUrl);
  for (let round = 0; round < 3; round++) {
    await expect
      .poll(() => platform.takeJobs(), waitFor)
      .toEqual([{ task: 'payments.reconcile', payload: {} }]);
    vi.advanceTimersByTime(30_000);
  }
  payments.stop();
});

test('several nodes ask for the same round each half minute', async ({ connection, platform }) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: Date.UTC(2030, 0, 1, 12, 0, 5) });
  const due = async () => [
    ...(await connection.sql<{ due: string; revision: number }[]>`
      select to_char(run_at, 'HH24:MI:SS') as due, revision from graphile_worker._private_jobs`),
  ];
  const first = await startPayments(platform, away, webhookUrl);
  vi.setSystemTime(Date.UTC(2030, 0, 1, 12, 0, 20));
  const second = await startPayments(platform, away, webhookUrl);
  await platform.takeJobs();
  for (const expected of ['12:01:00', '12:01:30']) {
    vi.advanceTimersByTime(30_000);
    await expect.poll(due, waitFor).toEqual([{ due: expected, revision: 1 }]);
    await platform.takeJobs();
  }
  first.stop();
  second.stop();
});
