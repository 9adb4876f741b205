import { z } from 'zod';
import type { Caller } from './caller.ts';
import { Centavos, many, one, readAll } from './envelope.ts';
import { requireParameters } from './errors.ts';
import type { Links, PaymentLink } from './links.ts';
import { Payment } from './payments.ts';
import { Refund } from './refunds.ts';

/** A link in the format of `/v1/payment_links`. Its payments are a list of their own. */
const FlatLink = z.looseObject({
  id: z.string(),
  amount: Centavos,
  currency: z.string().default('PHP'),
  description: z.string().nullish(),
  remarks: z.string().nullish(),
  /** active or archived: whether it can be paid, not whether it was. */
  status: z.string().default('active'),
  url: z.string(),
  reference_number: z.string(),
});
type FlatLink = z.infer<typeof FlatLink>;

/** As `unpaid`, `paid` or `refunded`, which the API tells only through the payments. */
function paymentStatus(payments: Payment[]): string {
  const paid = payments.filter(({ attributes }) => attributes.status === 'paid');
  if (paid.length === 0) return 'unpaid';
  return paid.every(isRefunded) ? 'refunded' : 'paid';
}

function isRefunded({ attributes }: Payment): boolean {
  const succeeded = (attributes.refunds ?? []).filter((refund) => refund.attributes.status === 'succeeded');
  return succeeded.reduce((sum, refund) => sum + refund.attributes.amount, 0) >= attributes.amount;
}

const toLink = (link: FlatLink, payments: Payment[]): PaymentLink => ({
  id: link.id,
  amount: link.amount,
  currency: link.currency,
  description: link.description ?? '',
  remarks: link.remarks ?? null,
  status: paymentStatus(payments),
  archived: link.status === 'archived',
  checkoutUrl: link.url,
  referenceNumber: link.reference_number,
  payments,
});

/** A link inside a `link.payment.paid` event in this format, which does not contain its payments. */
export const FlatLinkResource = FlatLink.transform((link) => toLink(link, []));

/** Implements the links by `/v1/payment_links`, the successor of `/v1/links`. */
export function createPaymentLinks(call: Caller): Links {
  const linkPath = (id: string) => `/v1/payment_links/${encodeURIComponent(id)}`;

  /** The link with its payments, which are two calls. */
  async function withPayments(link: FlatLink): Promise<PaymentLink> {
    const path = `${linkPath(link.id)}/payments`;
    const payments = await readAll(`GET ${path}`, async (query) => {
      const page = await call.get(path, many(Payment), query);
      return { items: page.data, hasMore: page.has_more };
    });
    return toLink(link, payments);
  }

  return {
    minimumAmount: 100,
    async create(link, idempotencyKey) {
      requireParameters({ amount: link.amount, description: link.description });
      const body = { ...link, currency: 'PHP', restriction: { completed_sessions: { limit: 1 } } };
      const created = await call.postFlat('/v1/payment_links', one(FlatLink), body, idempotencyKey);
      return toLink(created.data, []);
    },
    async get(id) {
      requireParameters({ id });
      return withPayments((await call.get(linkPath(id), one(FlatLink))).data);
    },
    async findByReference(referenceNumber) {
      requireParameters({ referenceNumber });
      const links = await readAll('GET /v1/payment_links', async (query) => {
        const page = await call.get('/v1/payment_links', many(FlatLink), {
          reference_number: referenceNumber,
          ...query,
        });
        return { items: page.data, hasMore: page.has_more };
      });
      const link = links.find(({ reference_number }) => reference_number === referenceNumber);
      return link ? withPayments(link) : null;
    },
    async archive(id) {
      requireParameters({ id });
      return withPayments((await call.post(`${linkPath(id)}/archive`, one(FlatLink))).data);
    },
    async unarchive(id) {
      requireParameters({ id });
      return withPayments((await call.post(`${linkPath(id)}/unarchive`, one(FlatLink))).data);
    },
    async refund(id, { amount, ...refund }, idempotencyKey) {
      requireParameters({ id, amount, payment_id: refund.payment_id, reason: refund.reason });
      // In pesos, unlike every other amount; the reply is in centavos.
      const body = { ...refund, amount: amount / 100 };
      return (await call.postFlat(`${linkPath(id)}/refunds`, one(Refund), body, idempotencyKey)).data;
    },
  };
}
