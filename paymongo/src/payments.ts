import { z } from 'zod';
import type { Caller } from './caller.ts';
import {
  Billing,
  Centavos,
  CURRENCY,
  many,
  one,
  type Page,
  type PageQuery,
  resource,
  Seconds,
} from './envelope.ts';
import { requireParameters } from './errors.ts';
import { Refund } from './refunds.ts';

export const Payment = resource(
  z.looseObject({
    amount: Centavos,
    currency: z.string(),
    fee: Centavos.nullish(),
    /** For cards of other countries. */
    foreign_fee: Centavos.nullish(),
    /** Withheld on the fees, which it lowers. */
    tax_amount: Centavos.nullish(),
    /** amount − fee − foreign_fee + tax_amount; 0 for a failed payment. */
    net_amount: Centavos.nullish(),
    /** pending, paid or failed */
    status: z.string(),
    /** Whether it has a dispute that is open or lost. */
    disputed: z.boolean().nullish(),
    description: z.string().nullish(),
    statement_descriptor: z.string().nullish(),
    external_reference_number: z.string().nullish(),
    payment_intent_id: z.string().nullish(),
    failed_code: z.string().nullish(),
    failed_message: z.string().nullish(),
    source: z.looseObject({ id: z.string().nullish(), type: z.string().nullish() }).nullish(),
    billing: Billing.nullish(),
    refunds: z.array(Refund).nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    livemode: z.boolean().nullish(),
    paid_at: Seconds.nullish(),
    /** When the money can be used. */
    available_at: Seconds.nullish(),
    created_at: Seconds.nullish(),
    updated_at: Seconds.nullish(),
  }),
);
export type Payment = z.infer<typeof Payment>;

/**
 * What the provider keeps of a paid payment, in centavos: amount − net_amount, or the sum of its fees when there is no
 * usable net amount. Null when neither is from 0 to less than the amount.
 */
export function paymentFee({ attributes }: Payment): number | null {
  const { amount, net_amount: net, fee, foreign_fee: foreignFee, tax_amount: tax } = attributes;
  const candidates = [net == null ? null : amount - net, (fee ?? 0) + (foreignFee ?? 0) - (tax ?? 0)];
  return candidates.find((candidate) => candidate !== null && candidate >= 0 && candidate < amount) ?? null;
}

export type NewPayment = {
  /** Centavos. Default 0, which is refused. */
  amount?: number;
  /** Default PHP. */
  currency?: string;
  source: { id: string; type: 'source' };
  description?: string;
  statement_descriptor?: string;
};

export const createPayments = (call: Caller) => ({
  /** Charges a source whose status is 'chargeable'. */
  async create(payment: NewPayment, idempotencyKey?: string): Promise<Payment> {
    requireParameters({ source: payment.source });
    const attributes = { amount: 0, currency: CURRENCY, ...payment };
    return (await call.post('/v1/payments', one(Payment), attributes, idempotencyKey)).data;
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
