import type { Review, ReviewComment } from '@tara/contract/plans/reviews';
import { channel } from '@tara/contract/wire/realtime';
import type { Change, LastState } from '../../platform/documents.ts';
import type { Platform } from '../../platform/platform.ts';
import { presentPicture } from '../files/index.ts';
import { presentPerson } from '../profiles/index.ts';
import type { CommentRow } from './comments.ts';
import type { ReviewRow } from './read.ts';

/** A review, which every member may read (§6). */
export function presentReview(row: ReviewRow): Review {
  const { review } = row;
  return {
    id: review.id,
    creator: presentPerson(row.creator, row.creatorPicture),
    creatorId: review.creatorId,
    owner: presentPerson(row.owner, row.ownerPicture),
    ownerId: review.ownerId,
    planId: review.planId,
    planTitle: row.planTitle,
    caption: review.caption,
    photos: row.photos.map(presentPicture),
    location: review.location,
    stars: review.stars,
    tags: review.tags,
    totalLikes: review.totalLikes,
    totalComments: review.totalComments,
    createdAt: review.createdAt.toISOString(),
    editedAt: review.editedAt?.toISOString() ?? null,
    liked: row.liked,
  };
}

/** A comment, the same for every member (§6). */
export function presentComment({ comment, creator, creatorPicture }: CommentRow): ReviewComment {
  return {
    id: comment.id,
    reviewId: comment.reviewId,
    creator: presentPerson(creator, creatorPicture),
    creatorId: comment.creatorId,
    body: comment.body,
    clientKey: comment.clientKey,
    createdAt: comment.createdAt.toISOString(),
  };
}

type Bus = Platform['bus'];

/** The members whom a review shows. */
export type ReviewMembers = Pick<Review, 'creatorId' | 'ownerId'>;

/** Announces a review to every member, with what its document says. */
function publish(
  bus: Bus,
  change: Change,
  { creatorId, ownerId }: ReviewMembers,
  document: { id: string } & Record<string, unknown>,
): void {
  bus.publish('document', {
    ...change,
    ...{ collection: 'reviews', id: document.id, document, audience: 'members' },
    owners: { profileIds: [creatorId, ownerId], authorId: creatorId },
  });
}

/** Announces a review to every member: the fields that are the same for everybody, as `liked` is each viewer's own. */
export const announceReview = (bus: Bus, change: 'create' | 'update', { liked: _liked, ...shared }: Review) =>
  publish(bus, { change }, shared, shared);

/** Announces the new number of a review's comments to every member. */
export const announceTotalComments = (
  bus: Bus,
  { id, ...members }: ReviewMembers & Pick<Review, 'id'>,
  totalComments: number,
) => publish(bus, { change: 'update' }, members, { id, totalComments });

/** Announces to every member that a review is deleted. */
export const announceRemovedReview = (
  bus: Bus,
  { last, ...review }: ReviewMembers & { id: string; last: LastState },
) => publish(bus, { change: 'delete', last }, review, review);

/** Announces a comment to every member, also on the channel of its review. */
export function announceComment(
  bus: Bus,
  change: Change,
  comment: Pick<ReviewComment, 'id' | 'reviewId' | 'creatorId'>,
  review: ReviewMembers,
): void {
  bus.publish('document', {
    ...{ collection: 'reviewComments', id: comment.id, ...change },
    ...{ document: { ...comment }, audience: 'members' },
    owners: {
      profileIds: [comment.creatorId, review.creatorId, review.ownerId],
      authorId: comment.creatorId,
    },
    alsoOn: [channel.document('reviews', comment.reviewId)],
  });
}
