import { eq } from 'drizzle-orm';
import { interactions } from '../../features/interactions/tables.ts';
import { book, cash, escrow } from '../../features/payments/ledger.ts';
import { capturedPayments } from '../../features/payments/tables.ts';
import type { Database } from '../../platform/database/connect.ts';

/** Inserts the payment of a request that was paid, and books it: the house holds its money. */
export async function insertCapture(
  database: Database,
  interactionId: string,
  amountCentavos: number,
): Promise<void> {
  const paymentId = `pay-${interactionId}`;
  await database.insert(capturedPayments).values({ id: paymentId, interactionId, amountCentavos });
  await database.update(interactions).set({ paymentId }).where(eq(interactions.id, interactionId));
  await database.transaction((transaction) =>
    book(transaction, {
      ...{ kind: 'capture', interactionId, paymentId, of: paymentId },
      entries: [
        [cash, amountCentavos],
        [escrow(interactionId), -amountCentavos],
      ],
    }),
  );
}
