import { nowDate, nowMs } from '@tara/contract/clock';
import { interactions as calls } from '@tara/contract/interactions/interactions';
import { sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import type { Member } from '../../testing/features/members.ts';
import { withOldPassword } from '../../testing/features/members.ts';
import { test as requestTest } from '../../testing/features/requests.ts';

const checkout = { checkoutUrl: 'https://pay.example/1' };
const days = (count: number) => new Date(nowMs() + count * 86_400_000);
const meets = (count: number) => ({
  meetsAt: days(count),
  meetsUntil: new Date(days(count).getTime() + 3_600_000),
});

const test = requestTest
  .extend(
    'giveNumber',
    ({ server }) =>
      (who: Member, interactionId: string, number = '+63 917 123 4567') =>
        server.call(who, calls.setRefundNumber, { body: { interactionId, number } }),
  )
  .extend(
    'read',
    ({ server }) =>
      async (who: Member, id: string) =>
        (await server.call(who, calls.interaction, { params: { id } })).reply,
  );

describe('the way back of a payment', () => {
  test('is known before paying: without it a plan in 50 days gets no checkout', async ({
    client,
    creator,
    inserted,
    giveNumber,
    read,
  }) => {
    const id = await inserted({ ...checkout, ...meets(50) });
    expect(await read(client, id)).toMatchObject({ checkoutUrl: null, needsRefundNumber: true });
    expect(await read(creator, id)).toMatchObject({ checkoutUrl: null, needsRefundNumber: false });
    expect((await giveNumber(client, id)).reply).toMatchObject({
      checkoutUrl: checkout.checkoutUrl,
      needsRefundNumber: false,
      refundNumber: '09171234567',
    });
    expect(await read(creator, id)).toMatchObject({ refundNumber: null });
  });

  test('is not asked for when every method gives back until two weeks after the plan', async ({
    client,
    inserted,
    read,
  }) => {
    const id = await inserted({ ...checkout, ...meets(40) });
    expect(await read(client, id)).toMatchObject({ ...checkout, needsRefundNumber: false });
  });

  test('is the methods’ that the request was made with', async ({
    client,
    request,
    database,
    platform,
    planId,
    read,
  }) => {
    const { reply } = await request(client, planId);
    const [row] = await database.execute<{ days: number }>(
      sql`select refund_window_days as days from interactions where id = ${reply.id}`,
    );
    expect(platform.config.paymentMethods).toEqual(['card', 'gcash']);
    expect(row?.days).toBe(60);
    expect(await read(client, reply.id)).toMatchObject({ needsRefundNumber: false });
  });
});

describe('the number for refunds', () => {
  test.for(['0917 123', 'ask me', '+1 917 123 4567', '02 8123 4567', ''])(
    'is a Philippine mobile number, not %j',
    async (number, { client, inserted, giveNumber }) => {
      const { problem } = await giveNumber(client, await inserted(checkout), number);
      expect(problem).toMatchObject({
        code: 400,
        fields: { number: expect.stringContaining('Philippine mobile number') },
      });
    },
  );

  test('is named by the client alone, who showed the password lately', async ({
    client,
    creator,
    stranger,
    inserted,
    giveNumber,
  }) => {
    const id = await inserted(checkout);
    expect((await giveNumber(creator, id)).problem).toMatchObject({
      type: 'interaction_not_allowed',
      text: 'Only the client names this number.',
    });
    expect((await giveNumber(stranger, id)).problem.type).toBe('interaction_not_found');
    expect((await giveNumber(withOldPassword(client), id)).problem.type).toBe(
      'user_recent_password_required',
    );
  });

  test('can be changed until the request is paid', async ({ client, inserted, giveNumber, read }) => {
    const unpaid = await inserted(checkout);
    await giveNumber(client, unpaid);
    await giveNumber(client, unpaid, '0918 765 4321');
    expect(await read(client, unpaid)).toMatchObject({ refundNumber: '09187654321' });
  });

  test('cannot change once the request is paid', async ({ client, inserted, giveNumber, read }) => {
    const id = await inserted({ ...checkout, paidAt: nowDate() });
    expect((await giveNumber(client, id)).status).toBe(200);
    expect((await giveNumber(client, id, '0918 765 4321')).problem).toMatchObject({
      type: 'interaction_not_allowed',
      text: 'No refund of this request waits for a number.',
    });
    expect(await read(client, id)).toMatchObject({ refundNumber: '09171234567' });
  });

  test('is of no use to a free plan, or one that is over', async ({ client, inserted, giveNumber }) => {
    for (const state of [{ priceCentavos: 0 }, { cancelledAt: nowDate() }]) {
      expect((await giveNumber(client, await inserted(state))).problem.type).toBe('interaction_not_allowed');
    }
  });
});
