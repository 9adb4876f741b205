import type { Interaction } from '@tara/contract/interactions';
import { stageOf } from '@tara/contract/stages';

const person = (name: string) => ({
  id: name,
  accountId: name,
  name,
  username: name,
  verified: true,
  picture: { imageId: null, imageUrl: '/x', width: 1, height: 1, thumbhash: null, alt: '' },
});

/** A request of Ben for a plan of Ana, unpaid and not accepted but for what is given. */
export function requestOf(fields: Partial<Omit<Interaction, 'stage'>> = {}): Interaction {
  const request = {
    id: 'request',
    planId: 'plan',
    planTitle: 'Coffee in Makati',
    cover: person('x').picture,
    whoSentReq: person('Ben'),
    creator: person('Ana'),
    clientAccountId: 'Ben',
    creatorAccountId: 'Ana',
    price: 250,
    paid: false,
    paymentId: null,
    referenceNumber: null,
    checkoutUrl: 'https://pay.example/x',
    webhookId: null,
    conversationReceipt: null,
    haveConvoReceipt: false,
    accepted: false,
    userSetDone: false,
    adminSetDone: false,
    completed: false,
    cancelled: false,
    cardDown: false,
    reviewSubmitted: false,
    reviewId: null,
    money: { state: 'unpaid' as const, amount: 250, at: null, waitsUntil: null },
    createdAt: '2026-01-01T00:00:00.000+00:00',
    updatedAt: '2026-01-01T00:00:00.000+00:00',
    ...fields,
  };
  return { ...request, stage: stageOf(request) };
}
