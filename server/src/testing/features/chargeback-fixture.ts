import { nowMs } from '@tara/contract/clock';
import { adminMoney } from '@tara/contract/money/admin-money';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { recordChargeback } from '../../features/payments/chargebacks.ts';
import { heldByProvider, heldFor, losses, readBalance } from '../../features/payments/ledger.ts';
import { chargebacks } from '../../features/payments/tables.ts';
import { insertMember } from './members.ts';
import { paymentTest } from './payment-fixture.ts';
import { openRequestFixture, type RequestFixture } from './request-fixture.ts';

/** Of each request. Centavos. */
export const price = 250_00;
/** What the provider holds beside a disputed amount. */
const fee = 800_00;

/** For a dispute that does not say which payment it is about. */
export const unnamed = { names_payment: false };

export const chargebackTest = paymentTest
  .extend('admin', { scope: 'file' }, ({ fixture }) => insertMember(fixture.database, { admin: true }))
  .extend('requests', ({ fixture }) => openRequestFixture(fixture))
  .extend('balances', { scope: 'file' }, ({ fixture }) => async (id: string) => ({
    escrow: await heldFor(fixture.database, id),
    // With the fee of the provider.
    disputed: Math.max(0, -fee - (await readBalance(fixture.database, heldByProvider(id)))),
  }))
  .extend(
    'losses',
    { scope: 'file' },
    ({ fixture }) =>
      () =>
        readBalance(fixture.database, losses),
  )
  /** The card issuer disputes the payment of a request, and decides; returns the dispute's id. */
  .extend('issuer', { scope: 'file' }, ({ fixture }) => ({
    opens: async (requests: RequestFixture, id: string, order: object = {}): Promise<string> => {
      const { paymentId } = await requests.row(id);
      const reply = await fixture.provider.control(`/payments/${paymentId}/dispute`, order);
      expect(reply.status).toBe(201);
      const { data } = (await reply.json()) as { data: { id: string } };
      return data.id;
    },
    decides: async (disputeId: string, status: 'won' | 'lost') => {
      expect((await fixture.provider.control(`/disputes/${disputeId}`, { status })).status).toBe(200);
    },
    state: async (disputeId: string) => {
      const [row] = await fixture.database.select().from(chargebacks).where(eq(chargebacks.id, disputeId));
      return row?.state ?? 'unknown';
    },
  }))
  /** Records a dispute that the sandbox does not have, as the provider says it. */
  .extend(
    'says',
    { scope: 'file' },
    ({ fixture }) =>
      (id: string, status: string, payment_id: string | null, amount = price) => {
        const created_at = Math.floor(nowMs() / 1000);
        const dispute = { id, type: 'dispute', attributes: { amount, status, payment_id, created_at } };
        const { provider } = fixture.context;
        const disputes = { ...provider.disputes, get: async () => dispute };
        return recordChargeback({ ...fixture.context, provider: { ...provider, disputes } }, dispute);
      },
  )
  /** The disputes that wait for an admin. */
  .extend('unassigned', { scope: 'file' }, ({ fixture, admin }) => async () => {
    const { reply } = await fixture.server.call(admin, adminMoney.unassignedDisputes);
    return reply.items.map(({ id }) => id);
  })
  .extend(
    'assign',
    { scope: 'file' },
    ({ fixture, admin }) =>
      (disputeId: string, paymentId: string | null) =>
        fixture.server.call(admin, adminMoney.assignDispute, {
          body: { disputeId, paymentId, reason: 'The day agrees.' },
        }),
  )
  /** A dispute about the payment of one request that was recorded for that of another; `third` is a payment of a third. */
  .extend('misassigned', async ({ fixture, requests, issuer, says }) => {
    const [wrong, right] = [await requests.paid(), await requests.paid()];
    const { paymentId: third } = await requests.row(await requests.paid());
    await fixture.provider.fault({ kind: 'drop_deliveries' });
    const disputeId = await issuer.opens(requests, right, unnamed);
    const { paymentId } = await requests.row(right);
    const { paymentId: wrongPayment } = await requests.row(wrong);
    await says(disputeId, 'needs_response', wrongPayment);
    return { wrong, right, third, disputeId, paymentId, wrongPayment };
  });
