import * as z from 'zod/mini';
import { calls, post } from '../calls.ts';
import { Id, Time } from '../fields.ts';
import { Interaction } from '../interactions/interactions.ts';
import { getPage } from '../page.ts';

/**
 * What happened to a request when, for admins and card issuers: what the two did, the plan's day, what was decided and
 * where the money went.
 */
export const datedSteps = {
  requested: 'The client sent the request',
  paid: 'The client paid',
  accepted: 'The creator accepted',
  day: 'Agreed day',
  dayWithoutAgreement: 'No day was agreed: counted as the day',
  creatorMet: 'The creator said that they met',
  fulfilled: 'The client said that the plan is fulfilled',
  disputed: 'The client opened a dispute',
  frozen: 'The card issuer disputed the payment',
  confirmed: 'An admin confirmed the plan',
  decidedRelease: 'An admin decided that the creator gets the money',
  decidedRefund: 'An admin decided that the client gets the money back',
  decidedSplit: 'An admin split the money between the two',
  cancelled: 'The request was cancelled',
  paidOut: 'The payout arrived',
  refunded: 'The refund arrived',
} as const;
export type DatedStepName = keyof typeof datedSteps;
export const DatedStep = z.object({
  step: z.enum(Object.keys(datedSteps) as [DatedStepName]),
  at: Time,
});
export type DatedStep = z.infer<typeof DatedStep>;

/** A fulfilled request that waits for an admin, with what happened when. */
export const AwaitingPlan = z.extend(Interaction, { steps: z.array(DatedStep) });
export type AwaitingPlan = z.infer<typeof AwaitingPlan>;

export const admin = calls('/api/admin', {
  awaitingPlans: getPage('/awaitingPlans', AwaitingPlan, {
    summary: 'Fulfilled requests awaiting an admin’s confirmation, oldest first, 20 a page (§7).',
    access: 'admin',
  }),
  confirmPlans: post('/confirmPlans', {
    summary:
      'Confirms that the meeting took place: the money held becomes owed to the creator and the payout starts.',
    access: 'admin',
    recentPassword: 'always',
    body: z.strictObject({ interactionId: Id }),
    errors: ['interaction_not_found', 'plan_confirm_failed', 'admin_own_record'],
  }),
});
