import type { Paymongo } from '@tara/paymongo';
import { z } from 'zod';
import type { Task } from '../../platform/jobs/start.ts';
import { workEvent } from './events.ts';
import { archiveLink, createLink } from './links.ts';
import { payOut, payOutsOf } from './payouts.ts';
import type { Money } from './provider.ts';
import { reconcile } from './reconcile.ts';
import { payBack } from './refunds.ts';

const OfInteraction = z.object({ interactionId: z.string() });
const OfEvent = z.object({ eventId: z.string() });
const OfProfile = z.object({ profileId: z.string() });

/** The money's jobs. Each may run more than once and at any time. */
export function paymentTasks(platform: Omit<Money, 'provider'>, provider: Paymongo): Record<string, Task> {
  const money = { ...platform, provider };
  const ofInteraction =
    (work: (money: Money, interactionId: string) => Promise<void>): Task =>
    async (payload) =>
      work(money, OfInteraction.parse(payload).interactionId);
  return {
    'payments.createLink': ofInteraction(createLink),
    'payments.archiveLink': ofInteraction(archiveLink),
    'payments.payout': ofInteraction(payOut),
    'payments.refund': ofInteraction(payBack),
    'payments.event': async (payload) => workEvent(money, OfEvent.parse(payload).eventId),
    'payments.payoutsOf': async (payload) => payOutsOf(money, OfProfile.parse(payload).profileId),
    'payments.reconcile': async () => reconcile(money),
  };
}
