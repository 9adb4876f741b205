import type { Review } from '@tara/contract/reviews';
import { type PictureRow, presentPicture } from '../files/index.ts';
import { type PersonRow, presentPerson } from '../profiles/index.ts';
import type { reviews } from './tables.ts';

/** A review with what was joined to it by `selectReviews`. */
export interface ReviewRow {
  review: typeof reviews.$inferSelect;
  planTitle: string;
  creator: PersonRow;
  creatorPicture: PictureRow | null;
  owner: PersonRow;
  ownerPicture: PictureRow | null;
  picture: PictureRow | null;
}

/** A review, the same for every member (§6). */
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
    picture: row.picture && presentPicture(row.picture),
    location: review.location,
    stars: review.stars,
    tags: review.tags,
    createdAt: review.createdAt.toISOString(),
  };
}
