import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { Id, Time } from '../fields.ts';

/** A request as the trusted person of one of its parties sees it: who, when, where and its state, and nothing else. */
export const SharedPlan = z.object({
  planTitle: z.string(),
  /** Names: of the member who made the link, and of the one they meet. */
  sharer: z.string(),
  other: z.string(),
  /** Whether an admin compared the other's name with their ID. */
  otherVerified: z.boolean(),
  /** Null while no day is agreed. */
  meetsAt: z.nullable(Time),
  meetsUntil: z.nullable(Time),
  place: z.string(),
  state: z.enum(['agreed', 'fulfilled', 'cancelled']),
  /** When the link ends. */
  endsAt: Time,
});
export type SharedPlan = z.infer<typeof SharedPlan>;

const ByRequest = z.strictObject({ interactionId: Id });

/** 'Share my plan': one link for each request and member, for somebody they trust. */
export const sharedPlans = calls('/api/sharedPlan', {
  open: get('/open', {
    summary: 'The request of a link that one of its parties made, for everybody who has the link.',
    access: 'anyone',
    query: z.object({ token: z.string().check(z.maxLength(100)) }),
    reply: SharedPlan,
    errors: ['shared_plan_not_found'],
  }),
  own: get('/own/:id', {
    summary: 'Whether you share this request, since when and until when.',
    params: z.object({ id: Id }),
    reply: z.object({ link: z.nullable(z.object({ createdAt: Time, endsAt: Time })) }),
    errors: ['interaction_not_found'],
  }),
  create: post('/create', {
    summary:
      'Makes the link of an accepted request of yours; an earlier one ends. The link is in this reply alone.',
    body: ByRequest,
    reply: z.object({ url: z.string(), createdAt: Time, endsAt: Time }),
    errors: ['interaction_not_found', 'interaction_not_allowed'],
  }),
  revoke: post('/revoke', {
    whileSuspended: true,
    summary: 'Ends the link of a request of yours at once. Repeating it changes nothing.',
    body: ByRequest,
  }),
});
