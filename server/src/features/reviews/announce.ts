import { channel } from '@tara/contract/realtime';
import type { Review, ReviewComment } from '@tara/contract/reviews';
import type { Owners } from '../../platform/documents.ts';
import type { Platform } from '../../platform/platform.ts';

type Bus = Platform['bus'];

/** The fields that are the same for everybody: `liked` is each viewer's own. */
const withoutOwn = ({ liked: _liked, ...shared }: Review) => shared;

/** The members whom a review shows. */
export type ReviewMembers = Pick<Review, 'creatorId' | 'ownerId'>;

const ownersOf = ({ creatorId, ownerId }: ReviewMembers): Owners => ({
  profileIds: [creatorId, ownerId],
  authorId: creatorId,
});

/** Announces a review to every member. */
export function announceReview(bus: Bus, change: 'create' | 'update', review: Review): void {
  bus.publish('document', {
    collection: 'reviews',
    id: review.id,
    change,
    document: withoutOwn(review),
    audience: 'members',
    owners: ownersOf(review),
  });
}

/** Announces new totals of a review to every member. */
export function announceTotals(
  bus: Bus,
  { id, creatorId, ownerId }: ReviewMembers & Pick<Review, 'id'>,
  totals: Partial<Pick<Review, 'totalLikes' | 'totalComments'>>,
): void {
  bus.publish('document', {
    collection: 'reviews',
    id,
    change: 'update',
    document: { id, ...totals },
    audience: 'members',
    owners: ownersOf({ creatorId, ownerId }),
  });
}

/** Announces a comment to every member, also on the channel of its review. */
export function announceComment(
  bus: Bus,
  change: 'create' | 'delete',
  comment: Pick<ReviewComment, 'id' | 'reviewId' | 'creatorId'>,
  review: ReviewMembers,
): void {
  bus.publish('document', {
    collection: 'reviewComments',
    id: comment.id,
    change,
    document: { ...comment },
    audience: 'members',
    owners: {
      profileIds: [comment.creatorId, review.creatorId, review.ownerId],
      authorId: comment.creatorId,
    },
    alsoOn: [channel.document('reviews', comment.reviewId)],
  });
}
