import * as z from 'zod/mini';
import { calls, post } from '../calls.ts';
import { Time } from '../fields.ts';
import { getPage } from '../page.ts';

/** One movement of a member's money. Pesos. */
export const StatementRow = z.object({
  id: z.string(),
  at: Time,
  kind: z.enum([
    ...(['capture', 'release', 'payout', 'refund'] as const),
    ...(['chargeback', 'chargeback_won', 'chargeback_lost', 'chargeback_corrected'] as const),
  ]),
  interactionId: z.string(),
  planTitle: z.string(),
  /** By how much what Tara holds for the member, or owes them, changed. */
  amount: z.number(),
  /** How much that was afterwards. */
  balance: z.number(),
});
export type StatementRow = z.infer<typeof StatementRow>;

/** A member's own money, and the provider's webhook deliveries: their body is not parsed, because the signature covers its bytes. */
export const payments = calls('/api/payment', {
  statement: getPage('/statement', StatementRow, {
    summary:
      'What changed what Tara holds for you as a client and owes you as a creator, newest first, 20 a page.',
  }),
  webhook: post('/webhook', {
    whileDiskFull: true,
    summary: 'Receives the payment provider’s signed deliveries; stores them and processes them in a job.',
    access: 'anyone',
    bodyKind: 'raw',
    errors: ['payment_signature_invalid'],
  }),
});
