import type { Payment } from './payments.ts';

/** A page on which anyone with its URL can pay one amount, once. The type is ours, not the provider's. */
export type PaymentLink = {
  id: string;
  /** Centavos. */
  amount: number;
  currency: string;
  description: string;
  remarks: string | null;
  /** §7: 'paid' or other; absent counts as 'unpaid'. A refunded link has 'refunded'. */
  status: string;
  archived: boolean;
  checkoutUrl: string;
  referenceNumber: string;
  /** Payments on the link, each with its own `status`. */
  payments: Payment[];
};

export type NewLink = {
  /** Centavos; the provider's minimum is `MIN_LINK_AMOUNT`. */
  amount: number;
  description: string;
  remarks?: string;
};

/**
 * The calls for links. The provider is replacing `/v1/links` by `/v1/payment_links`, whose bodies are flat; that API
 * will be another implementation of this interface.
 */
export type Links = {
  create(link: NewLink, idempotencyKey?: string): Promise<PaymentLink>;
  get(id: string): Promise<PaymentLink>;
  /** Null when no link has this reference number. */
  findByReference(referenceNumber: string): Promise<PaymentLink | null>;
  archive(id: string): Promise<PaymentLink>;
  unarchive(id: string): Promise<PaymentLink>;
};

/** ₱100.00, in centavos. */
export const MIN_LINK_AMOUNT = 10_000;
