import type { Review, ReviewComment } from '@tara/contract/reviews';
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
