import { z } from 'zod';
import type { Caller } from './caller.ts';
import { Centavos, many, one, readAll, resource } from './envelope.ts';
import { requireParameters } from './errors.ts';
import type { Links, PaymentLink } from './links.ts';
import { Payment } from './payments.ts';

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

/** A link in the format of `/v1/links` and of the event `link.payment.paid`. */
export const LinkResource = WireLink.transform(
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

/** Implements the links by `/v1/links`. */
export function createLinksV1(call: Caller): Links {
  const linkPath = (id: string) => `/v1/links/${encodeURIComponent(id)}`;
  return {
    async create(link, idempotencyKey) {
      requireParameters({ amount: link.amount, description: link.description });
      return (await call.post('/v1/links', one(LinkResource), link, idempotencyKey)).data;
    },
    async get(id) {
      requireParameters({ id });
      return (await call.get(linkPath(id), one(LinkResource))).data;
    },
    async findByReference(referenceNumber) {
      requireParameters({ referenceNumber });
      const links = await readAll('GET /v1/links', async (query) => {
        const wanted = { reference_number: referenceNumber, ...query };
        const page = await call.get('/v1/links', many(LinkResource), wanted);
        return { items: page.data, hasMore: page.has_more };
      });
      return links.find((link) => link.referenceNumber === referenceNumber) ?? null;
    },
    async archive(id) {
      requireParameters({ id });
      return (await call.post(`${linkPath(id)}/archive`, one(LinkResource))).data;
    },
    async unarchive(id) {
      requireParameters({ id });
      return (await call.post(`${linkPath(id)}/unarchive`, one(LinkResource))).data;
    },
  };
}
