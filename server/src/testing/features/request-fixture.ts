import { interactions as calls } from '@tara/contract/interactions/interactions';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { interactions } from '../../features/interactions/index.ts';
import { notifications } from '../../features/notifications/index.ts';
import { ledgerTransfers } from '../../features/payments/tables.ts';
import { insertOwed, listDisbursements } from './disbursements.ts';
import { insertPlan } from './interactions.ts';
import { insertMember, type Member } from './members.ts';
import type { PaymentFixture } from './payment-fixture.ts';

/** How long a test waits for what a job brings. */
export const waitFor = { timeout: 30_000, interval: 10 };

/** A creator and a client of their own, and the ways a request between them can go. */
export async function openRequestFixture(fixture: PaymentFixture, { phoneNumber = '+63 917 123 4567' } = {}) {
  const { database, server } = fixture;
  const creator = await insertMember(database, { verified: true, phoneNumber });
  const client = await insertMember(database, { verified: true });

  const row = async (id: string) => {
    const [row] = await database.select().from(interactions).where(eq(interactions.id, id));
    if (!row) throw new Error(`no request ${id}`);
    return row;
  };
  const step = (who: Member, name: 'acceptRequest' | 'markDone' | 'cancelRequest', interactionId: string) =>
    server.call(who, calls[name], { body: { interactionId } });

  /** A request whose payment link is there, unless it is free. `price` in centavos. */
  async function requested(price = 250_00) {
    const planId = await insertPlan(database, creator, { priceCentavos: price });
    const { reply } = await server.call(client, calls.createInteraction, { body: { planId } });
    if (price > 0) await expect.poll(async () => (await row(reply.id)).checkoutUrl, waitFor).not.toBeNull();
    return reply.id;
  }
  async function payFor(id: string) {
    expect(await fixture.provider.pay((await row(id)).checkoutUrl ?? '')).toBe(true);
  }
  async function paid() {
    const id = await requested();
    await payFor(id);
    await expect.poll(async () => (await row(id)).paidAt, waitFor).not.toBeNull();
    return id;
  }
  async function fulfilled() {
    const id = await paid();
    await step(creator, 'acceptRequest', id);
    await step(client, 'markDone', id);
    return id;
  }
  return {
    creator,
    client,
    row,
    step,
    requested,
    payFor,
    paid,
    fulfilled,
    /** Who was notified of what about a request, such as `paid client`. */
    notified: async (id: string) =>
      (await database.select().from(notifications).where(eq(notifications.interactionId, id)))
        .map(({ event, profileId }) => `${event} ${profileId === client.profileId ? 'client' : 'creator'}`)
        .sort(),
    /** What goes out for a request, of its own payment unless there is a second one. */
    outgoing: async (id: string, wanted: 'payout' | 'refund') =>
      (await listDisbursements(database, id)).find(({ purpose }) => purpose === wanted),
    /** A request that is over; what was paid is owed to its creator or its client, and nothing brings it forward. */
    owed: async (purpose: 'payout' | 'refund', amountCentavos?: number) => {
      const interactionId = await (purpose === 'payout' ? fulfilled() : paid());
      return { interactionId, id: await insertOwed(database, interactionId, purpose, amountCentavos) };
    },
    /** Kinds of the transfers that were booked for a request. */
    transfers: async (id: string) =>
      (await database.select().from(ledgerTransfers).where(eq(ledgerTransfers.interactionId, id)))
        .map(({ kind }) => kind)
        .sort(),
  };
}
export type RequestFixture = Awaited<ReturnType<typeof openRequestFixture>>;
