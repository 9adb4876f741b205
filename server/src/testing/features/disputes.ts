import { nowMs } from '@tara/contract/clock';
import { receipts } from '@tara/contract/messages/receipts';
import { disputes as calls, requestCases } from '@tara/contract/money/disputes';
import { eq } from 'drizzle-orm';
import { interactions } from '../../features/interactions/tables.ts';
import { heldFor, owedTo } from '../../features/payments/ledger.ts';
import { disbursementAmounts } from '../../features/payments/tables.ts';
import { newReferenceNumber } from '../../platform/ids.ts';
import { insertCapture } from './captures.ts';
import { insertInteraction, insertPlan } from './interactions.ts';
import { insertMember, type Member } from './members.ts';
import { test as base } from './requests.ts';

const hourMs = 3_600_000;
/** Hours ago. */
export const ago = (hours: number) => new Date(nowMs() - hours * hourMs);
/** Price of each request, in centavos. */
export const price = 250_00;

/** Tests of disputes: requests whose payment is held, and what the parties and admins do with them. */
export const disputeTest = base
  .extend('otherAdmin', { scope: 'file' }, ({ database }) => insertMember(database, { admin: true }))
  /** A request whose payment is held, in a state further on. */
  .extend(
    'held',
    ({ database, creator, client }) =>
      async (state: Partial<typeof interactions.$inferInsert> = {}) => {
        const planId = await insertPlan(database, creator);
        const parties = { creator, client, planId };
        const paid = {
          referenceNumber: newReferenceNumber(),
          paidAt: ago(30),
          acceptedAt: ago(29),
          dayStartsAt: ago(20),
          ...state,
        };
        const id = await insertInteraction(database, parties, paid);
        await insertCapture(database, id, price);
        return id;
      },
  )
  .extend(
    'open',
    ({ server, client }) =>
      (interactionId: string, who: Member = client, more: object = {}) =>
        server.call(who, calls.open, {
          body: { interactionId, reason: 'absent', story: 'Nobody came.', imageIds: [], ...more },
        }),
  )
  /** The same request, about which the client opened a dispute. */
  .extend('disputed', ({ held, open }) => async (state: Partial<typeof interactions.$inferInsert> = {}) => {
    const id = await held(state);
    await open(id);
    return id;
  })
  .extend(
    'answer',
    ({ server, creator }) =>
      (interactionId: string, who: Member = creator, more: object = {}) =>
        server.call(who, calls.answer, {
          body: { interactionId, story: 'I waited.', imageIds: [], ...more },
        }),
  )
  /** Opens the plan chat of a request, and answers its id. */
  .extend('openChat', ({ server, client }) => async (interactionId: string) => {
    const { reply } = await server.call(client, receipts.createConversationReceipt, {
      body: { interactionId },
    });
    return reply.id;
  })
  .extend(
    'decide',
    ({ server, admin }) =>
      (interactionId: string, decision: object, who: Member = admin) =>
        server.call(who, requestCases.decideRequest, {
          body: { interactionId, note: 'They did not meet.', ...decision },
        }),
  )
  .extend('row', ({ database }) => async (id: string) => {
    const [row] = await database.select().from(interactions).where(eq(interactions.id, id));
    return row;
  })
  .extend('money', ({ database, creator }) => async (id: string) => {
    const amounts = await database
      .select()
      .from(disbursementAmounts)
      .where(eq(disbursementAmounts.interactionId, id));
    const amountOf = (wanted: string) =>
      amounts.find(({ purpose }) => purpose === wanted)?.amountCentavos ?? null;
    return {
      held: await heldFor(database, id),
      owed: await owedTo(database, creator.profileId),
      refund: amountOf('refund'),
      payout: amountOf('payout'),
    };
  });
