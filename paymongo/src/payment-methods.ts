import { z } from 'zod';
import type { Caller } from './caller.ts';
import { Billing, type Metadata, one, resource } from './envelope.ts';
import { requireParameters } from './errors.ts';

export const PaymentMethod = resource(
  z.looseObject({
    type: z.string(),
    /** Contains only the last four digits of the card number. */
    details: z
      .looseObject({
        last4: z.string().optional(),
        exp_month: z.number().optional(),
        exp_year: z.number().optional(),
      })
      .nullish(),
    billing: Billing.nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
  }),
);
export type PaymentMethod = z.infer<typeof PaymentMethod>;

export type NewPaymentMethod = {
  type: string;
  details?: { card_number: string; exp_month: number; exp_year: number; cvc: string };
  billing?: Billing;
  metadata?: Metadata;
};

export const createPaymentMethods = (call: Caller) => ({
  async create(method: NewPaymentMethod, idempotencyKey?: string): Promise<PaymentMethod> {
    requireParameters({ type: method.type });
    if (method.type === 'card') requireParameters({ details: method.details });
    return (await call.post('/v1/payment_methods', one(PaymentMethod), method, idempotencyKey)).data;
  },

  async get(id: string): Promise<PaymentMethod> {
    requireParameters({ id });
    return (await call.get(`/v1/payment_methods/${encodeURIComponent(id)}`, one(PaymentMethod))).data;
  },
});
