import { z } from 'zod';
import type { Caller } from './caller.ts';
import { Centavos, many, one, readAll, resource } from './envelope.ts';
import { requireParameters } from './errors.ts';
import type { Links, PaymentLink } from './links.ts';
import { FlatLinkResource } from './payment-links.ts';
import { Payment } from './payments.ts';
import { Refund } from './refunds.ts';

const WireLink = resource(
  z.looseObject({
    amount: Centavos,
    currency: z.string().default('PHP'),
    description: z.string().nullish(),
    remarks: z.string().nullish(),
    status: z.string().default('unpaid'),
    archived: z.boolean().default(false),
    checkout_url: z.string(),
    reference_number: z.string(),
    payments: z.array(one(Payment)).nullish(),
  }),
);

/** A link in the format of `/v1/links`. */
const ClassicLink = WireLink.transform(
  ({ id, attributes: link }): PaymentLink => ({
    id,
    amount: link.amount,
    currency: link.currency,
    description: link.description ?? '',
    remarks: link.remarks ?? null,
    status: link.status,
    archived: link.archived,
    checkoutUrl: link.checkout_url,
    referenceNumber: link.reference_number,
    payments: (link.payments ?? []).map((payment) => payment.data),
  }),
);

/** The link inside a `link.payment.paid` event, in either format; `payments` is empty when the event does not contain them. */
export const LinkResource = z.union([ClassicLink, FlatLinkResource]);

/** Implements the links by `/v1/links`. */
export function createLinksV1(call: Caller): Links {
  const linkPath = (id: string) => `/v1/links/${encodeURIComponent(id)}`;
  return {
    minimumAmount: 10_000,
    async create(link, idempotencyKey) {
      requireParameters({ amount: link.amount, description: link.description });
      return (await call.post('/v1/links', one(ClassicLink), link, idempotencyKey)).data;
    },
    async get(id) {
      requireParameters({ id });
      return (await call.get(linkPath(id), one(ClassicLink))).data;
    },
    async findByReference(referenceNumber) {
      requireParameters({ referenceNumber });
      const links = await readAll('GET /v1/links', async (query) => {
        const wanted = { reference_number: referenceNumber, ...query };
        const page = await call.get('/v1/links', many(ClassicLink), wanted);
        return { items: page.data, hasMore: page.has_more };
      });
      return links.find((link) => link.referenceNumber === referenceNumber) ?? null;
    },
    async archive(id) {
      requireParameters({ id });
      return (await call.post(`${linkPath(id)}/archive`, one(ClassicLink))).data;
    },
    async unarchive(id) {
      requireParameters({ id });
      return (await call.post(`${linkPath(id)}/unarchive`, one(ClassicLink))).data;
    },
    async refund(id, refund, idempotencyKey) {
      requireParameters({ id, amount: refund.amount, payment_id: refund.payment_id, reason: refund.reason });
      return (await call.post('/v1/refunds', one(Refund), refund, idempotencyKey)).data;
    },
  };
}
