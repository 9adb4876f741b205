import type { Paymongo } from '@tara/paymongo';
import { tasks } from '../../platform/tasks.ts';
import { workEvent } from './events.ts';
import { archiveLink, createLink } from './links.ts';
import { payOut, payOutsOf } from './payouts.ts';
import type { PaymentContext } from './provider.ts';
import { reconcile } from './reconcile.ts';
import { payBack } from './refunds.ts';

/** The money's jobs. Each may run more than once and at any time. */
export function paymentTasks(platform: Omit<PaymentContext, 'provider'>, provider: Paymongo) {
  const money = { ...platform, provider };
  return {
    ...tasks.createPaymentLink.handledBy(({ interactionId }) => createLink(money, interactionId)),
    ...tasks.archivePaymentLink.handledBy(({ interactionId }) => archiveLink(money, interactionId)),
    ...tasks.payout.handledBy(({ interactionId }) => payOut(money, interactionId)),
    ...tasks.refund.handledBy(({ interactionId }) => payBack(money, interactionId)),
    ...tasks.workProviderEvent.handledBy(({ eventId }) => workEvent(money, eventId)),
    ...tasks.profilePayouts.handledBy(({ profileId }) => payOutsOf(money, profileId)),
    ...tasks.reconcilePayments.handledBy(() => reconcile(money)),
  };
}
