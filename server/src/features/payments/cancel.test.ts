import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { paymentTest as test } from '../../testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from '../../testing/features/request-fixture.ts';
import { disbursements } from './tables.ts';

test.for([
  ['the client withdraws', 'client', false],
  ['the creator declines (§7-cancel-request)', 'creator', false],
  ['the creator cancels what was accepted', 'creator', true],
] as const)(
  'a payment of 750 pesos is owed back in full, once, when %s',
  async ([, by, isAccepted], { fixture }) => {
    const requests = await openRequestFixture(fixture);
    const id = await requests.requested(750_00);
    await requests.payFor(id);
    await expect.poll(async () => (await requests.row(id)).paidAt, waitFor).not.toBeNull();
    if (isAccepted) await requests.step(requests.creator, 'acceptRequest', id);
    const answers = await Promise.all([1, 2].map(() => requests.step(requests[by], 'cancelRequest', id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { reply } = answers.find(({ status }) => status === 200) ?? expect.fail();
    expect(reply).toMatchObject({
      cancelled: true,
      money: { amount: 750, refund: { amount: 750 }, payout: null },
    });
    const owed = await fixture.database
      .select()
      .from(disbursements)
      .where(eq(disbursements.interactionId, id));
    expect(owed).toMatchObject([{ purpose: 'refund', amountCentavos: 750_00 }]);
    const notified = (await requests.notified(id)).filter((notice) => notice.startsWith('cancelled'));
    expect(notified).toEqual([by === 'client' ? 'cancelled creator' : 'cancelled client']);
  },
);
