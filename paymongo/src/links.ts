import { z } from 'zod';
import type { Caller } from './caller.ts';
import { Centavos, many, one, readAll, resource, resourcePath } from './envelope.ts';
import { PaymongoError, requireParameters } from './errors.ts';
import { type NewRefund, Payment, Refund } from './payments.ts';

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

/** A link in the format of `/v1/payment_links`. Its payments are a list of their own. */
const FlatLink = z
  .looseObject({
    id: z.string(),
    amount: Centavos,
    currency: z.string().default('PHP'),
    description: z.string().nullish(),
    remarks: z.string().nullish(),
    /** active or archived: whether it can be paid, not whether it was. */
    status: z.string().default('active'),
    url: z.string(),
    reference_number: z.string(),
  })
  .transform(
    (link): PaymentLink => ({
      id: link.id,
      amount: link.amount,
      currency: link.currency,
      description: link.description ?? '',
      remarks: link.remarks ?? null,
      status: 'unpaid',
      archived: link.status === 'archived',
      checkoutUrl: link.url,
      referenceNumber: link.reference_number,
      payments: [],
    }),
  );

/** The link inside a `link.payment.paid` event, in either format; `payments` is empty when the event does not contain them. */
export const LinkResource = z.union([ClassicLink, FlatLink]);

/** As `unpaid`, `paid` or `refunded`, which the API shows only through the payments. */
function paymentStatus(payments: Payment[]): string {
  const paid = payments.filter(({ attributes }) => attributes.status === 'paid');
  if (paid.length === 0) return 'unpaid';
  return paid.every(isRefunded) ? 'refunded' : 'paid';
}

function isRefunded({ attributes }: Payment): boolean {
  const succeeded = (attributes.refunds ?? []).filter((refund) => refund.attributes.status === 'succeeded');
  return succeeded.reduce((sum, refund) => sum + refund.attributes.amount, 0) >= attributes.amount;
}

/** What both APIs do alike: `complete` adds to a link what its own format leaves out. */
function linkCalls(
  call: Caller,
  path: string,
  link: z.ZodType<PaymentLink>,
  complete: (link: PaymentLink) => PaymentLink | Promise<PaymentLink>,
): Pick<Links, 'get' | 'findByReference' | 'archive' | 'unarchive'> {
  return {
    get: async (id) => complete(await call.get(resourcePath(path, id), link)),
    async findByReference(referenceNumber) {
      requireParameters({ referenceNumber });
      const links = await readAll(`GET ${path}`, (query) =>
        call.list(path, many(link), { reference_number: referenceNumber, ...query }),
      );
      const match = links.find((candidate) => candidate.referenceNumber === referenceNumber);
      return match ? complete(match) : null;
    },
    archive: async (id) => complete(await call.post(`${resourcePath(path, id)}/archive`, link)),
    unarchive: async (id) => complete(await call.post(`${resourcePath(path, id)}/unarchive`, link)),
  };
}

/** Implements the links by `/v1/links`. */
const createClassicLinks = (call: Caller): Links => ({
  ...linkCalls(call, '/v1/links', ClassicLink, (link) => link),
  minimumAmount: 10_000,
  async create(link, idempotencyKey) {
    requireParameters({ amount: link.amount, description: link.description });
    return call.post('/v1/links', ClassicLink, link, idempotencyKey);
  },
  async refund(id, refund, idempotencyKey) {
    requireParameters({ id, amount: refund.amount, payment_id: refund.payment_id, reason: refund.reason });
    return call.post('/v1/refunds', Refund, refund, idempotencyKey);
  },
});

/** Implements the links by `/v1/payment_links`, the successor of `/v1/links`. */
function createPaymentLinks(call: Caller): Links {
  const list = '/v1/payment_links';

  /** The link with its payments, which are two calls. */
  async function withPayments(link: PaymentLink): Promise<PaymentLink> {
    const path = `${resourcePath(list, link.id)}/payments`;
    const payments = await readAll(`GET ${path}`, (query) => call.list(path, many(Payment), query));
    return { ...link, status: paymentStatus(payments), payments };
  }

  return {
    ...linkCalls(call, list, FlatLink, withPayments),
    minimumAmount: 100,
    async create(link, idempotencyKey) {
      requireParameters({ amount: link.amount, description: link.description });
      const body = { ...link, currency: 'PHP', restriction: { completed_sessions: { limit: 1 } } };
      return call.postFlat(list, FlatLink, body, idempotencyKey);
    },
    async refund(id, { amount, ...refund }, idempotencyKey) {
      requireParameters({ id, amount, payment_id: refund.payment_id, reason: refund.reason });
      // In pesos, unlike every other amount; the reply is in centavos.
      const body = { ...refund, amount: amount / 100 };
      return call.postFlat(`${resourcePath(list, id)}/refunds`, Refund, body, idempotencyKey);
    },
  };
}

/** classic: `/v1/links`, which the provider is retiring. payment_links: `/v1/payment_links`, its successor. */
export type LinksApi = 'classic' | 'payment_links';

/**
 * The links of one API. Calls for a link that it does not know are tried at the other one, so that links which were made
 * before the setting changed stay payable.
 */
export function createLinks(call: Caller, api: LinksApi): Links {
  const classic = createClassicLinks(call);
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
