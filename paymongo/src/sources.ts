import { z } from 'zod';
import type { Caller } from './caller.ts';
import { Billing, Centavos, one, resource } from './envelope.ts';
import { requireParameters } from './errors.ts';

export const Source = resource(
  z.looseObject({
    amount: Centavos,
    currency: z.string(),
    type: z.string(),
    /** pending, chargeable, paid, cancelled or expired */
    status: z.string(),
    redirect: z.looseObject({ success: z.string(), failed: z.string(), checkout_url: z.string() }),
    billing: Billing.nullish(),
  }),
);
export type Source = z.infer<typeof Source>;

export type NewSource = {
  /** Centavos. */
  amount: number;
  currency: string;
  type: 'gcash' | 'grab_pay';
  redirect: { success: string; failed: string };
  billing?: Billing;
};

export const createSources = (call: Caller) => ({
  async create(source: NewSource, idempotencyKey?: string): Promise<Source> {
    requireParameters({
      amount: source.amount,
      currency: source.currency,
      type: source.type,
      redirect: source.redirect,
    });
    return (await call.post('/v1/sources', one(Source), source, idempotencyKey)).data;
  },

  async get(id: string): Promise<Source> {
    requireParameters({ id });
    return (await call.get(`/v1/sources/${encodeURIComponent(id)}`, one(Source))).data;
  },
});
