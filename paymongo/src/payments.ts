import { z } from 'zod';
import type { Caller } from './caller.ts';
import { Billing, Centavos, many, one, type Page, type PageQuery, resource, Seconds } from './envelope.ts';
import { requireParameters } from './errors.ts';
import { Refund } from './refunds.ts';

export const Payment = resource(
  z.looseObject({
    amount: Centavos,
    currency: z.string(),
    fee: Centavos.nullish(),
    net_amount: Centavos.nullish(),
    /** pending, paid or failed */
    status: z.string(),
    description: z.string().nullish(),
    statement_descriptor: z.string().nullish(),
    external_reference_number: z.string().nullish(),
    payment_intent_id: z.string().nullish(),
    failed_code: z.string().nullish(),
    failed_message: z.string().nullish(),
    source: z.looseObject({ id: z.string().nullish(), type: z.string() }).nullish(),
    billing: Billing.nullish(),
    refunds: z.array(Refund).nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    livemode: z.boolean().optional(),
    paid_at: Seconds.nullish(),
    created_at: Seconds,
    updated_at: Seconds,
  }),
);
export type Payment = z.infer<typeof Payment>;

export type NewPayment = {
  /** Centavos. */
  amount: number;
  currency: string;
  source: { id: string; type: 'source' };
  description?: string;
  statement_descriptor?: string;
};

export const createPayments = (call: Caller) => ({
  /** Charges a source whose status is 'chargeable'. */
  async create(payment: NewPayment): Promise<Payment> {
    requireParameters({ amount: payment.amount, currency: payment.currency, source: payment.source });
    return (await call.post('/v1/payments', one(Payment), payment)).data;
  },

  async get(id: string): Promise<Payment> {
    requireParameters({ id });
    return (await call.get(`/v1/payments/${encodeURIComponent(id)}`, one(Payment))).data;
  },

  async list(query: PageQuery = {}): Promise<Page<Payment>> {
    const page = await call.get('/v1/payments', many(Payment), query);
    return { items: page.data, hasMore: page.has_more };
  },
});
