import type { Payment } from './payments.ts';

/** A page on which anyone who has its address can pay one amount, once. Ours, not the provider's, shape. */
export type PaymentLink = {
  id: string;
  /** Centavos. */
  amount: number;
  currency: string;
  description: string;
  remarks: string | null;
  /** §7: 'paid' or other; absent counts as 'unpaid'. A link that was paid back says 'refunded'. */
  status: string;
  archived: boolean;
  checkoutUrl: string;
  referenceNumber: string;
  /** Payments made on the link; each carries its own `status`. */
  payments: Payment[];
};

export type NewLink = {
  /** Centavos; the provider's least is `LEAST_LINK_AMOUNT`. */
  amount: number;
  description: string;
  remarks?: string;
};

/**
 * All that callers know of links. The provider is replacing `/v1/links` by `/v1/payment_links`, whose bodies
 * are flat; that change is another implementation of this interface.
 */
export type Links = {
  create(link: NewLink): Promise<PaymentLink>;
  get(id: string): Promise<PaymentLink>;
  /** Null when no link has this reference number. */
  findByReference(referenceNumber: string): Promise<PaymentLink | null>;
  archive(id: string): Promise<PaymentLink>;
  unarchive(id: string): Promise<PaymentLink>;
};

/** ₱100.00, in centavos. */
export const LEAST_LINK_AMOUNT = 10_000;
