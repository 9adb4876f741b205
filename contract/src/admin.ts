import * as z from 'zod/mini';
import { calls, get } from './calls.ts';

/** How much waits for an admin, list by list. */
export const WorkCounts = z.object({
  /** Members who ask to be verified. */
  verifications: z.int(),
  /** Fulfilled plans whose payout must be confirmed. */
  plans: z.int(),
  /** Reports of members that are not decided. */
  reports: z.int(),
});
export type WorkCounts = z.infer<typeof WorkCounts>;

export const adminWork = calls('/api/admin', {
  counts: get('/counts', {
    summary: 'How many records wait in each list of the admins.',
    access: 'admin',
    reply: WorkCounts,
  }),
});
