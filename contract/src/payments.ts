import * as z from 'zod/mini';
import { calls, post } from './calls.ts';

/** The provider's deliveries; the body stays as bytes, since the signature covers them. */
export const payments = calls('/api/payment', {
  webhook: post('/webhook', {
    summary: 'Receives the payment provider’s signed deliveries; answered at once, worked off in a job.',
    access: 'anyone',
    bodyKind: 'raw',
    reply: z.object({ status: z.literal('ok') }),
    errors: ['payment_signature_invalid'],
  }),
});
