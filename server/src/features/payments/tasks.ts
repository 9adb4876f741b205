import type { Paymongo } from '@tara/paymongo';
import { z } from 'zod';
import type { Task } from '../../platform/jobs/start.ts';
import { workEvent } from './events.ts';
import { archiveLink, createLink } from './links.ts';
import { payOut, payOutsOf } from './payouts.ts';
import type { PaymentContext } from './provider.ts';
import { reconcile } from './reconcile.ts';
import { payBack } from './refunds.ts';

const InteractionPayload = z.object({ interactionId: z.string() });
const EventPayload = z.object({ eventId: z.string() });
const ProfilePayload = z.object({ profileId: z.string() });

/** The money's jobs. Each may run more than once and at any time. */
export function paymentTasks(
  platform: Omit<PaymentContext, 'provider'>,
  provider: Paymongo,
): Record<string, Task> {
  const money = { ...platform, provider };
  const interactionTask =
    (work: (money: PaymentContext, interactionId: string) => Promise<void>): Task =>
    async (payload) =>
      work(money, InteractionPayload.parse(payload).interactionId);
  return {
    'payments.createLink': interactionTask(createLink),
    'payments.archiveLink': interactionTask(archiveLink),
    'payments.payout': interactionTask(payOut),
    'payments.refund': interactionTask(payBack),
    'payments.event': async (payload) => workEvent(money, EventPayload.parse(payload).eventId),
    'payments.payoutsOf': async (payload) => payOutsOf(money, ProfilePayload.parse(payload).profileId),
    'payments.reconcile': async () => reconcile(money),
  };
}
