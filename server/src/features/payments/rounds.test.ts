import { nowDate } from '@tara/contract/clock';
import { PaymongoUnreachable, WEBHOOK_EVENTS } from '@tara/paymongo';
import { isNull } from 'drizzle-orm';
import { afterEach, expect, vi } from 'vitest';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember } from '../../testing/features/members.ts';
import { waitFor } from '../../testing/features/request-fixture.ts';
import { test } from '../../testing/test.ts';
import { interactions } from '../interactions/index.ts';
import { plans } from '../plans/index.ts';
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
  // The clocks of nodes differ: that of the database counts.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: Date.UTC(2030, 0, 1, 12, 0, 5) });
  const rounds = async () => [
    ...(await connection.sql<{ at: string; isNext: boolean; second: number; revision: number }[]>`
      select run_at::text as at, run_at between now() and now() + interval '60 seconds' as "isNext",
        extract(second from run_at)::int % 30 as second, revision from graphile_worker._private_jobs`),
  ];
  const start = async () => {
    const payments = await startPayments(platform, away, webhookUrl);
    await expect.poll(() => platform.takeJobs(), waitFor).toHaveLength(1);
    return payments;
  };
  const first = await start();
  vi.setSystemTime(Date.UTC(2031, 0, 1, 12, 0, 20));
  const second = await start();
  vi.advanceTimersByTime(30_000);
  await expect.poll(rounds, waitFor).toMatchObject([{ isNext: true, second: 0, revision: 1 }]);
  const [{ at } = { at: '' }] = await rounds();
  // It waits for a free place: nobody puts it off.
  vi.advanceTimersByTime(30_000);
  await expect.poll(rounds, waitFor).toMatchObject([{ at, revision: 3 }]);
  first.stop();
  second.stop();
});

test.for([
  [0, 1],
  [300, 0],
] as const)(
  'a start warns when each sale loses money: with a platform fee of %i basis points %i times',
  async ([platformFeeBasisPoints, times], { platform }) => {
    const warn = vi.fn<(details: object, text: string) => void>();
    const log = Object.assign(Object.create(platform.log), { warn }) as typeof platform.log;
    const config = { ...platform.config, platformFeeBasisPoints };
    const payments = await startPayments({ ...platform, log, config }, away, webhookUrl);
    payments.stop();
    const warned = warn.mock.calls.filter(([, text]) => text.startsWith('each sale loses money'));
    expect(warned).toHaveLength(times);
  },
);

test('the webhook is looked at when the server starts and every ten minutes', async ({ platform }) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const attributes = { url: webhookUrl, status: 'enabled', events: WEBHOOK_EVENTS, secret_key: 'whsk_1' };
  const list = vi.fn(async () => [{ id: 'hook_1', type: 'webhook', attributes }]);
  const payments = await startPayments(platform, { webhooks: { list } } as never, webhookUrl);
  for (let round = 0; round < 20; round++) {
    await expect.poll(() => platform.takeJobs(), waitFor).toHaveLength(1);
    expect(list).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(30_000);
  }
  await expect.poll(() => list.mock.calls.length, waitFor).toBe(2);
  payments.stop();
});

test('a start closes the plans that are dearer than one payout carries', async ({ database, platform }) => {
  const creator = await insertMember(database, { verified: true });
  await insertPlan(database, creator, { priceCentavos: 50_000_01 });
  const payable = await insertPlan(database, creator, { priceCentavos: 50_000_00 });
  const payments = await startPayments(platform, away, webhookUrl);
  payments.stop();
  const open = await database.select({ id: plans.id }).from(plans).where(isNull(plans.closedAt));
  expect(open).toEqual([{ id: payable }]);
});

test('a start gives the refund window of the payment methods to requests that can still be paid', async ({
  database,
  platform,
}) => {
  const creator = await insertMember(database, { verified: true });
  const client = await insertMember(database, { verified: true });
  const ids: string[] = [];
  for (const state of [{}, { paidAt: nowDate() }, { cancelledAt: nowDate() }]) {
    const planId = await insertPlan(database, creator);
    ids.push(
      await insertInteraction(database, { creator, client, planId }, { ...state, refundWindowDays: 1 }),
    );
  }
  const payments = await startPayments(platform, away, webhookUrl);
  payments.stop();
  const rows = await database
    .select({ id: interactions.id, days: interactions.refundWindowDays })
    .from(interactions);
  const days = new Map(rows.map((row) => [row.id, row.days]));
  expect(ids.map((id) => days.get(id))).toEqual([60, 1, 1]);
});
