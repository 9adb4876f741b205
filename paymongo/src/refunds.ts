import { z } from 'zod';
import type { Caller } from './caller.ts';
import { Centavos, type Metadata, one, resource, Seconds } from './envelope.ts';
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
   * The provider has no idempotency key for refunds. After a lost reply, search the payment's `refunds`
   * (`payments.get`) for its `notes` or `metadata` before repeating the call.
   */
  async create(refund: NewRefund): Promise<Refund> {
    requireParameters({ amount: refund.amount, payment_id: refund.payment_id, reason: refund.reason });
    return (await call.post('/v1/refunds', one(Refund), refund)).data;
  },

  async get(id: string): Promise<Refund> {
    requireParameters({ id });
    return (await call.get(`/v1/refunds/${encodeURIComponent(id)}`, one(Refund))).data;
  },
});
