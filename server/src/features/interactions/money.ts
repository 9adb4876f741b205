import type { MoneyState } from '@tara/contract/interactions';
import { pesos } from '@tara/contract/plans';

interface Moments {
  priceCentavos: number;
  createdAt: Date;
  paidAt: Date | null;
  adminSetDoneAt: Date | null;
  payoutWaitsUntil: Date | null;
  paidOutAt: Date | null;
  cancelledAt: Date | null;
  refundedAt: Date | null;
  releasedCentavos: number;
  refundCentavos: number;
}

/** Where the client's money is, and until when its payout waits, which the creator alone sees. The later moment wins: a paid request that was cancelled is on its way back. */
export function moneyState(request: Moments, readerIsCreator: boolean, now = Date.now()): MoneyState {
  const [state, at] = latest(request);
  const until = state === 'owed' && readerIsCreator ? request.payoutWaitsUntil : null;
  return {
    state,
    amount: pesos(request.priceCentavos),
    released: pesos(request.releasedCentavos),
    refunded: pesos(request.refundCentavos),
    at: at?.toISOString() ?? null,
    waitsUntil: until && until.getTime() > now ? until.toISOString() : null,
  };
}

function latest(request: Moments): [MoneyState['state'], Date | null] {
  if (request.priceCentavos === 0) return ['free', request.paidAt];
  if (request.refundedAt) return ['refunded', request.refundedAt];
  if (request.paidAt && request.cancelledAt) return ['refunding', request.paidAt];
  if (request.paidOutAt) return ['paid_out', request.paidOutAt];
  if (request.adminSetDoneAt) return ['owed', request.adminSetDoneAt];
  if (request.paidAt) return ['held', request.paidAt];
  return ['unpaid', request.createdAt];
}
