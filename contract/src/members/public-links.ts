import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { Id, Picture, Rating, Time } from '../fields.ts';

/** What anybody sees of the member who invites. */
export const Invitation = z.object({
  firstName: z.string(),
  /** Null for a member without a photo. */
  picture: z.nullable(Picture),
});
export type Invitation = z.infer<typeof Invitation>;

/** What anybody sees of a plan: neither where it is nor who exactly offers it. */
export const PublicPlan = z.object({
  title: z.string(),
  /** The first name of its creator. */
  firstName: z.string(),
  /** Null once the picture is gone. */
  cover: z.nullable(Picture),
  rating: Rating,
  /** Pesos. */
  price: z.number(),
});
export type PublicPlan = z.infer<typeof PublicPlan>;

/** A link of one's own. */
export const PublicLink = z.object({ url: z.string(), createdAt: Time });
export type PublicLink = z.infer<typeof PublicLink>;

/** The random id of a link, which is in its address. */
const ById = z.object({ id: Id });
/** One's own plan; without it the invitation. */
const OptionalPlan = { planId: z.optional(Id) };

/**
 * Links that anybody may open, each off until its member switches it on: one invitation for each member, and one for each of
 * their plans. Nothing that they show leads to a profile.
 */
export const publicLinks = calls('/api/publicLink', {
  invitation: get('/invitation/:id', {
    summary: 'Who invites by this link: first name and picture.',
    access: 'anyone',
    params: ById,
    reply: Invitation,
    errors: ['invitation_not_found'],
  }),
  plan: get('/plan/:id', {
    summary: 'The plan of this link: title, cover, price, stars and the first name of its creator.',
    access: 'anyone',
    params: ById,
    reply: PublicPlan,
    errors: ['plan_link_not_found'],
  }),
  picture: get('/picture/:id', {
    summary:
      'The one picture that the page of this link shows: that of the member, or the cover of the plan.',
    access: 'anyone',
    params: ById,
    reply: z.unknown(),
    errors: ['plan_link_not_found'],
  }),
  planId: get('/planId/:id', {
    summary: 'The plan of this link, for a member who goes on to it.',
    params: ById,
    reply: z.object({ planId: z.string() }),
    errors: ['plan_link_not_found'],
  }),
  own: get('/own', {
    summary: 'Your invitation, or the public link of your own plan; null while it is off.',
    query: z.object(OptionalPlan),
    reply: z.object({ link: z.nullable(PublicLink) }),
  }),
  create: post('/create', {
    summary:
      'Switches on your invitation, or the public link of your own plan. Repeating it changes nothing; after switching off the link is another one.',
    body: z.strictObject(OptionalPlan),
    reply: z.object({ link: PublicLink }),
    errors: ['plan_not_found'],
  }),
  revoke: post('/revoke', {
    whileSuspended: true,
    summary: 'Ends your invitation, or the public link of your own plan. Repeating it changes nothing.',
    body: z.strictObject(OptionalPlan),
  }),
});
