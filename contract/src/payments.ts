import * as z from 'zod/mini';
import { calls, post } from './calls.ts';

/** The provider's webhook deliveries. The body is not parsed, because the signature covers its bytes. */
export const payments = calls('/api/payment', {
  webhook: post('/webhook', {
    summary: 'Receives the payment provider’s signed deliveries; stores them and processes them in a job.',
    access: 'anyone',
    bodyKind: 'raw',
    reply: z.object({ status: z.literal('ok') }),
    errors: ['payment_signature_invalid'],
  }),
});
