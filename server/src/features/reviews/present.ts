import { channel } from '@tara/contract/realtime';
import type { Review, ReviewComment } from '@tara/contract/reviews';
import type { Owners } from '../../platform/documents.ts';
import type { Platform } from '../../platform/platform.ts';
import { type PictureRow, presentPicture } from '../files/index.ts';
import { type PersonRow, presentPerson } from '../profiles/index.ts';
import type { reviewComments, reviews } from './tables.ts';

/** A review with what was joined to it by `selectReviews`. */
export interface ReviewRow {
  review: typeof reviews.$inferSelect;
  planTitle: string;
  creator: PersonRow;
  creatorPicture: PictureRow | null;
  owner: PersonRow;
  ownerPicture: PictureRow | null;
  photos: PictureRow[];
  liked: boolean;
}

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

/** A comment with who wrote it. */
export interface CommentRow {
  comment: typeof reviewComments.$inferSelect;
  creator: PersonRow;
  creatorPicture: PictureRow | null;
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
