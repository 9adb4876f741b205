import { z } from 'zod';
import type { Caller } from './caller.ts';
import {
  Centavos,
  type Metadata,
  many,
  one,
  type Page,
  type PageQuery,
  resource,
  Seconds,
} from './envelope.ts';
import { requireParameters } from './errors.ts';

export const Refund = resource(
  z.looseObject({
    amount: Centavos,
    currency: z.string().nullish(),
    payment_id: z.string(),
    reason: z.string().nullish(),
    notes: z.string().nullish(),
    /** pending, processing, succeeded or failed */
    status: z.string(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    created_at: Seconds.nullish(),
    updated_at: Seconds.nullish(),
  }),
);
export type Refund = z.infer<typeof Refund>;

export type RefundReason = 'requested_by_customer' | 'duplicate' | 'fraudulent' | 'others';

export type NewRefund = {
  /** Centavos, at most the part of the payment that is not refunded yet. */
  amount: number;
  payment_id: string;
  reason: RefundReason;
  notes?: string;
  metadata?: Metadata;
};

export const createRefunds = (call: Caller) => ({
  /**
   * After a lost reply, repeat the call with the same key and content; once the key may have expired, search the
   * payment's `refunds` (`payments.get`) first.
   */
  async create(refund: NewRefund, idempotencyKey?: string): Promise<Refund> {
    requireParameters({ amount: refund.amount, payment_id: refund.payment_id, reason: refund.reason });
    return (await call.post('/v1/refunds', one(Refund), refund, idempotencyKey)).data;
  },

  async get(id: string): Promise<Refund> {
    requireParameters({ id });
    return (await call.get(`/v1/refunds/${encodeURIComponent(id)}`, one(Refund))).data;
  },

  /** Newest first. */
  async list(query: PageQuery & { payment_id?: string } = {}): Promise<Page<Refund>> {
    const page = await call.get('/v1/refunds', many(Refund), query);
    return { items: page.data, hasMore: page.has_more };
  },
});
