import { z } from 'zod';
import type { Caller } from './caller.ts';
import { Centavos, many, one, type Page, type PageQuery, resource, Seconds } from './envelope.ts';
import { requireParameters } from './errors.ts';

/**
 * A chargeback: the bank of the cardholder takes a payment back. The provider holds the amount and a fee of ₱800 until it
 * is decided; evidence is submitted in its dashboard.
 */
export const Dispute = resource(
  z.looseObject({
    amount: Centavos,
    currency: z.string().nullish(),
    /** needs_response, under_review, won, lost or expired. Treat an unknown status as open. */
    status: z.string(),
    reason: z.string().nullish(),
    /** Not documented. Without it, search the payments for `disputed`. */
    payment_id: z.string().nullish(),
    livemode: z.boolean().nullish(),
    created_at: Seconds.nullish(),
    updated_at: Seconds.nullish(),
  }),
);
export type Dispute = z.infer<typeof Dispute>;

export const createDisputes = (call: Caller) => ({
  /** Refused with 403 `access_denied` for accounts without access to disputes, among them those in test mode. */
  async get(id: string): Promise<Dispute> {
    requireParameters({ id });
    return (await call.get(`/v1/disputes/${encodeURIComponent(id)}`, one(Dispute))).data;
  },

  /** Newest first. */
  async list(query: PageQuery = {}): Promise<Page<Dispute>> {
    const page = await call.get('/v1/disputes', many(Dispute), query);
    return { items: page.data, hasMore: page.has_more };
  },
});
