import { eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { interactions } from '../interactions/index.ts';
import { storeLine, writeLine } from '../messages/index.ts';
import { receipts } from './tables.ts';

type Request = typeof interactions.$inferSelect;

interface Line {
  /** Names its cause, so that it is written once. */
  name: string;
  at: Date;
  body: string;
}

const pesos = new Intl.NumberFormat('en-PH', { style: 'currency', currency: 'PHP' });

/** What Tara writes into the chat of a request, in the order of a request's life; what has not happened has no line. */
function linesOf(request: Request): Line[] {
  const price = request.priceCentavos === 0 ? null : pesos.format(request.priceCentavos / 100);
  const all: [name: string, at: Date | null, body: string][] = [
    [
      'paid',
      request.paidAt,
      price === null
        ? 'This plan is free. You can agree here on when and where to meet.'
        : `The client paid ${price}. Tara holds the money until an admin confirms the plan.`,
    ],
    ['accepted', request.acceptedAt, 'The creator accepted the request.'],
    [
      'fulfilled',
      request.userSetDoneAt,
      'The client says that the plan is fulfilled. An admin confirms it next.',
    ],
    [
      'confirmed',
      request.adminSetDoneAt,
      price === null
        ? 'An admin confirmed the plan.'
        : `An admin confirmed the plan. ${price} goes to the creator.`,
    ],
    [
      'cancelled',
      request.cancelledAt,
      price === null || request.paidAt === null
        ? 'The request is cancelled.'
        : `The request is cancelled. ${price} goes back to the client.`,
    ],
    ['refunded', request.refundedAt, `The client has ${price ?? 'the money'} back.`],
  ];
  return all.flatMap(([name, at, body]) => (at === null ? [] : { name, at, body }));
}

/** The lines of what happened before a chat opens, in the transaction that opens it: the chat begins with them. */
export async function storeFirstLines(
  transaction: Transaction,
  chatId: string,
  request: Request,
): Promise<void> {
  for (const { name, body } of linesOf(request))
    await storeLine(transaction, { chatId, body, clientKey: `line-${name}` });
}

/** ms by which a step may have begun before the chat that opened while it waited. */
const overlapMs = 60_000;

/**
 * Writes the lines that a plan chat does not have yet; without a chat there is nothing to do. What happened before it
 * opened stands at its begin already.
 */
async function writeReceiptLines(
  context: Pick<Platform, 'database' | 'bus'>,
  interactionId: string,
): Promise<void> {
  const [row] = await context.database
    .select({ request: interactions, chatId: receipts.id, openedAt: receipts.createdAt })
    .from(receipts)
    .innerJoin(interactions, eq(interactions.id, receipts.interactionId))
    .where(eq(interactions.id, interactionId));
  if (row === undefined) return;
  const { request, chatId, openedAt } = row;
  for (const { name, at, body } of linesOf(request)) {
    if (at.getTime() >= openedAt.getTime() - overlapMs)
      await writeLine(context, { chatId, body, clientKey: `line-${name}` });
  }
}

/** Jobs of this feature. */
export const receiptTasks = (context: Pick<Platform, 'database' | 'bus'>) => ({
  ...tasks.writeReceiptLines.handledBy(({ interactionId }) => writeReceiptLines(context, interactionId)),
});
