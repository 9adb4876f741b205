import type { Interaction } from '@tara/contract/interactions';
import { pesos } from '@tara/contract/plans';
import { type PictureRow, presentPicture } from '../files/index.ts';
import { type PersonRow, presentPerson } from '../profiles/index.ts';
import { moneyState } from './money.ts';
import { maySeeCheckout } from './policy.ts';
import type { interactions } from './tables.ts';

/** A request with what was joined to it by `selectInteractions`. */
export interface InteractionRow {
  request: typeof interactions.$inferSelect;
  client: PersonRow;
  clientPicture: PictureRow | null;
  creator: PersonRow;
  creatorPicture: PictureRow | null;
  cover: PictureRow;
  receiptId: string | null;
  reviewId: string | null;
}

/** A request as the reader, one of its parties or an admin, sees it. */
export function presentInteraction(row: InteractionRow, readerAccountId: string): Interaction {
  const { request, client, creator } = row;
  const parties = { clientAccountId: client.accountId, creatorAccountId: creator.accountId };
  const paid = request.paidAt !== null;
  const cancelled = request.cancelledAt !== null;
  return {
    id: request.id,
    planId: request.planId,
    planTitle: request.planTitle,
    cover: presentPicture(row.cover),
    whoSentReq: presentPerson(client, row.clientPicture),
    creator: presentPerson(creator, row.creatorPicture),
    ...parties,
    price: pesos(request.priceCentavos),
    paid,
    paymentId: request.paymentId,
    referenceNumber: request.referenceNumber,
    checkoutUrl: maySeeCheckout(readerAccountId, { ...parties, paid, cancelled })
      ? request.checkoutUrl
      : null,
    webhookId: request.webhookId,
    conversationReceipt: row.receiptId,
    haveConvoReceipt: row.receiptId !== null,
    accepted: request.acceptedAt !== null,
    userSetDone: request.userSetDoneAt !== null,
    adminSetDone: request.adminSetDoneAt !== null,
    completed: request.completedAt !== null,
    cancelled,
    stage: request.stage,
    cardDown: request.cardDown,
    reviewSubmitted: request.reviewSubmitted,
    reviewId: row.reviewId,
    money: moneyState(request, readerAccountId === creator.accountId),
    createdAt: request.createdAt.toISOString(),
    updatedAt: request.updatedAt.toISOString(),
  };
}
