import type { Caller } from './caller.ts';
import { PaymongoError } from './errors.ts';
import { createLinksV1 } from './links-v1.ts';
import { createPaymentLinks } from './payment-links.ts';
import type { Payment } from './payments.ts';
import type { NewRefund, Refund } from './refunds.ts';

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
  /** Centavos, at least `minimumAmount` of the links. */
  amount: number;
  description: string;
  remarks?: string;
};

/** The calls for links, whichever API of the provider they use. */
export type Links = {
  /** Centavos. */
  minimumAmount: number;
  create(link: NewLink, idempotencyKey?: string): Promise<PaymentLink>;
  get(id: string): Promise<PaymentLink>;
  /** Null when no link has this reference number. */
  findByReference(referenceNumber: string): Promise<PaymentLink | null>;
  archive(id: string): Promise<PaymentLink>;
  unarchive(id: string): Promise<PaymentLink>;
  /** Gives a payment on the link back, in centavos. */
  refund(id: string, refund: NewRefund, idempotencyKey?: string): Promise<Refund>;
};

/** classic: `/v1/links`, which the provider is retiring. payment_links: `/v1/payment_links`, its successor. */
export type LinksApi = 'classic' | 'payment_links';

/**
 * The links of one API. Calls for a link that it does not know are tried at the other one, so that links which were made
 * before the setting changed stay payable.
 */
export function createLinks(call: Caller, api: LinksApi): Links {
  const classic = createLinksV1(call);
  const paymentLinks = createPaymentLinks(call);
  const [links, others] = api === 'classic' ? [classic, paymentLinks] : [paymentLinks, classic];
  const orOther = async <T>(run: (of: Links) => Promise<T>): Promise<T> => {
    try {
      return await run(links);
    } catch (error) {
      if (!(error instanceof PaymongoError && error.status === 404)) throw error;
      // The first refusal is the answer when neither knows the link.
      return run(others).catch(() => Promise.reject(error));
    }
  };
  return {
    minimumAmount: links.minimumAmount,
    create: links.create,
    get: (id) => orOther((of) => of.get(id)),
    findByReference: async (referenceNumber) =>
      (await links.findByReference(referenceNumber)) ??
      // An account without the other API has no links there.
      others.findByReference(referenceNumber).catch((error) => {
        if (error instanceof PaymongoError && error.status < 500) return null;
        throw error;
      }),
    archive: (id) => orOther((of) => of.archive(id)),
    unarchive: (id) => orOther((of) => of.unarchive(id)),
    refund: (id, refund, key) => orOther((of) => of.refund(id, refund, key)),
  };
}
