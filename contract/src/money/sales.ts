import { platformFee } from '../interactions/interactions.ts';
import { type PaymentMethod, paymentMethods } from './payment-methods.ts';

/** What the provider takes for each transfer to a wallet or bank account. */
export const transferFeeCentavos = 10_00;

/** A sale that loses money. Centavos. */
export interface LosingSale {
  priceCentavos: number;
  /** Tara's share. */
  earnedCentavos: number;
  /** What the provider takes of the payment and for the payout. */
  costCentavos: number;
}

/**
 * The best sale of all, when even that loses money; null when some sale earns any. The dearest plan, paid by the cheapest
 * method, is the best one: what the provider takes besides its share of the price does not grow with the price.
 */
export function bestSaleIfLosing(settings: {
  platformFeeBasisPoints: number;
  paymentMethods: readonly PaymentMethod[];
  /** The dearest plan. */
  payoutLimitCentavos: number;
  /** Who sends payouts: an admin does it without the provider. */
  payouts: 'provider' | 'manual';
}): LosingSale | null {
  const { platformFeeBasisPoints, payoutLimitCentavos: priceCentavos } = settings;
  const earnedCentavos = platformFee(priceCentavos, platformFeeBasisPoints);
  const taken = settings.paymentMethods.map((name) => {
    const { feeBasisPoints, feeCentavos } = paymentMethods[name];
    return Math.round((priceCentavos * feeBasisPoints) / 10_000) + feeCentavos;
  });
  const costCentavos = Math.min(...taken) + (settings.payouts === 'provider' ? transferFeeCentavos : 0);
  return earnedCentavos < costCentavos ? { priceCentavos, earnedCentavos, costCentavos } : null;
}
