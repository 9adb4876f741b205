import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { nowMs } from '../clock.ts';
import { ClientKey, Id, Picture, Time, text, wholeNumber } from '../fields.ts';
import { photoIds } from '../form-fields.ts';
import {
  captionLength,
  commentLength,
  locationLength,
  reviewEditMs,
  reviewPhotoLimit,
  starScale,
  tagsLength,
} from '../limits.ts';
import { Person } from '../members/profiles.ts';
import { getPage } from '../page.ts';
import { likeCalls } from '../posts/likes.ts';

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
  /** In the order in which the writer put them. */
  photos: z.array(Picture),
  location: z.string(),
  /** A whole number 0–10, shown as 0–5 stars with halves (decisions §1). */
  stars: z.int(),
  tags: z.array(z.string()),
  totalLikes: z.int(),
  totalComments: z.int(),
  createdAt: Time,
  /** When the writer last changed it; null when they never did. */
  editedAt: z.nullable(Time),
  /** Whether the viewer likes it. */
  liked: z.boolean(),
});
export type Review = z.infer<typeof Review>;

export const ReviewComment = z.object({
  id: z.string(),
  reviewId: z.string(),
  creator: Person,
  creatorId: z.string(),
  body: z.string(),
  /** As sent, so that its writer's device recognises what it is sending. */
  clientKey: z.string(),
  createdAt: Time,
});
export type ReviewComment = z.infer<typeof ReviewComment>;

const fields = {
  caption: text(captionLength).check(z.minLength(1, 'Please write a few words.')),
  location: text(locationLength),
  stars: wholeNumber(starScale.min, starScale.max),
  /** Split like those of posts. */
  tags: z._default(text(tagsLength), ''),
  imageIds: z._default(photoIds(reviewPhotoLimit), []),
};

/** The writer may change a review for 24 hours. The server reads the review that it locked, the web the cached one. */
export const reviewCan = {
  edit: (
    profileId: string,
    review: { creatorId: string; createdAt: string | Date },
    now = nowMs(),
  ): true | 'user_unauthorized' | 'review_edit_closed' => {
    if (review.creatorId !== profileId) return 'user_unauthorized';
    return now - new Date(review.createdAt).getTime() < reviewEditMs ? true : 'review_edit_closed';
  },
} as const;

/** Every member may read and write comments (§6). */
export const reviewCommentCan = {
  /** Only its creator. */
  delete: (profileId: string, comment: { creatorId: string }): boolean => comment.creatorId === profileId,
} as const;

export const ReviewFormFields = z.strictObject(fields);
export const NewReview = z.strictObject({ ...fields, interactionId: Id });
export type NewReview = z.infer<typeof NewReview>;
export const ReviewChange = z.strictObject({ ...fields, reviewId: Id });
export type ReviewChange = z.infer<typeof ReviewChange>;

export const NewReviewComment = z.strictObject({
  reviewId: Id,
  body: text(commentLength).check(z.minLength(1, 'Please write something.')),
  clientKey: ClientKey,
});
export type NewReviewComment = z.infer<typeof NewReviewComment>;

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
  update: post('/update', {
    summary: 'Changes your own review within 24 hours; the photos sent take the place of those before.',
    body: ReviewChange,
    reply: Review,
    errors: ['review_not_found', 'user_unauthorized', 'review_edit_closed', 'storage_file_not_found'],
  }),
  byOwner: getPage('/by/:id', Review, {
    summary: 'The reviews about one member, newest first, 10 a page (§7).',
    params: ReviewId,
  }),
  get: get('/one/:id', {
    summary: 'One review.',
    params: ReviewId,
    reply: Review,
    errors: ['review_not_found'],
  }),
  ...likeCalls('review'),
  comments: getPage('/comments/:id', ReviewComment, {
    summary: 'The comments on one review, newest first, 10 a page (§7).',
    params: ReviewId,
    errors: ['review_not_found'],
  }),
  createComment: post('/createComment', {
    summary:
      'Comments on a review, as every member may (§6); sent again with its `clientKey`, it is stored once.',
    body: NewReviewComment,
    reply: z.object({ comment: ReviewComment, totalComments: z.int() }),
    errors: ['review_not_found'],
  }),
  deleteComment: post('/deleteComment', {
    whileDiskFull: true,
    summary: 'Deletes your own comment on a review.',
    body: z.strictObject({ commentId: Id }),
    errors: ['comment_not_found', 'user_unauthorized'],
  }),
});
