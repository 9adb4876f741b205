import * as z from 'zod/mini';
import { calls, get, post } from './calls.ts';
import { Id, Picture, Time, text, wholeNumber } from './fields.ts';
import { captionLength, locationLength, starScale } from './limits.ts';
import { Page, pageOf } from './page.ts';
import { Person } from './profiles.ts';

export const Review = z.object({
  id: z.string(),
  /** The author: the client of the request. */
  creator: Person,
  creatorId: z.string(),
  /** The member it is about: the plan's creator. */
  owner: Person,
  ownerId: z.string(),
  planId: z.string(),
  planTitle: z.string(),
  caption: z.string(),
  picture: z.nullable(Picture),
  location: z.string(),
  /** A whole number 0–10, shown as 0–5 stars with halves (decisions §1). */
  stars: z.int(),
  tags: z.array(z.string()),
  createdAt: Time,
});
export type Review = z.infer<typeof Review>;

const fields = {
  caption: text(captionLength).check(z.minLength(1, 'Please write a few words.')),
  location: text(locationLength),
  stars: wholeNumber(starScale.min, starScale.max),
};

export const ReviewFormFields = z.strictObject(fields);
/** `ownerId`, `planId` and the like of §7 are read from the request instead. */
export const NewReview = z.strictObject({ ...fields, interactionId: Id, imageId: z.nullish(Id) });
export type NewReview = z.infer<typeof NewReview>;

const ReviewId = z.object({ id: Id });

export const reviews = calls('/api/review', {
  create: post('/create', {
    summary: 'Reviews a confirmed request, once; for its client.',
    body: NewReview,
    reply: Review,
    errors: [
      'interaction_not_found',
      'interaction_not_allowed',
      'review_not_yet',
      'review_already_written',
      'storage_file_not_found',
    ],
  }),
  byOwner: get('/by/:id', {
    summary: 'The reviews about one member, newest first, 10 a page (§7).',
    params: ReviewId,
    query: Page,
    reply: pageOf(Review),
  }),
  get: get('/one/:id', {
    summary: 'One review.',
    params: ReviewId,
    reply: Review,
    errors: ['review_not_found'],
  }),
});
