import { z } from 'zod';
import type { Caller } from './caller.ts';
import { Billing, Centavos, CURRENCY, DEFAULT_WALLET, type Metadata, one, resource } from './envelope.ts';
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
    description: z.string().nullish(),
    statement_descriptor: z.string().nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
  }),
);
export type Source = z.infer<typeof Source>;

export type NewSource = {
  /** Centavos. Default 0, which is refused. */
  amount?: number;
  /** Default PHP. */
  currency?: string;
  /** Default gcash. */
  type?: 'gcash' | 'grab_pay';
  redirect: { success: string; failed: string };
  billing?: Billing;
  description?: string;
  statement_descriptor?: string;
  metadata?: Metadata;
};

export const createSources = (call: Caller) => ({
  async create(source: NewSource, idempotencyKey?: string): Promise<Source> {
    requireParameters({ redirect: source.redirect });
    const attributes = { amount: 0, currency: CURRENCY, type: DEFAULT_WALLET, ...source };
    return (await call.post('/v1/sources', one(Source), attributes, idempotencyKey)).data;
  },

  async get(id: string): Promise<Source> {
    requireParameters({ id });
    return (await call.get(`/v1/sources/${encodeURIComponent(id)}`, one(Source))).data;
  },
});
