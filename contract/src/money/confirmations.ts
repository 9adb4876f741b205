import * as z from 'zod/mini';
import { calls, post } from '../calls.ts';
import { Id, Time } from '../fields.ts';
import { Interaction } from '../interactions/interactions.ts';
import { getPage } from '../page.ts';

/** What happened to a request when, for the admin who decides: steps of the two, and the plan's day. */
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
