import * as z from 'zod/mini';
import { calls, get } from '../calls.ts';

/** What a creator's plan brought in a month, in pesos after the platform fee. */
export const EarningsRow = z.object({
  /** `2026-11`, by Philippine time. */
  month: z.string(),
  planId: z.string(),
  planTitle: z.string(),
  /** Paid in this month and still held. */
  held: z.number(),
  /** Released to the creator in this month. */
  earned: z.number(),
  /** Arrived at the creator in this month. */
  paidOut: z.number(),
});
export type EarningsRow = z.infer<typeof EarningsRow>;

export const Earnings = z.object({
  /** Newest month first, then by plan; the newest 24 months. Months and plans without money have no row. */
  rows: z.array(EarningsRow),
  /** Totals of all time, also of what is older than the rows. `onTheWay`: earned and not arrived yet. */
  totals: z.object({ held: z.number(), earned: z.number(), paidOut: z.number(), onTheWay: z.number() }),
});
export type Earnings = z.infer<typeof Earnings>;

export const earnings = calls('/api/earnings', {
  get: get('/get', {
    summary: 'What your plans brought, by month and plan: held, earned and paid out.',
    reply: Earnings,
  }),
});
