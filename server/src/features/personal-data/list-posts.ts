import { eq, inArray, sql } from 'drizzle-orm';
import { postLikes, postSearch, posts, saves } from '../posts/index.ts';
import { reviewComments, reviewLikes, reviewPhotos, reviews } from '../reviews/index.ts';
import { verifications } from '../verification/index.ts';
import { deleted, type PersonalTable, whole } from './entry.ts';

/** Posts, likes, reviews and verifications. */
export const postTables: readonly PersonalTable[] = [
  {
    table: postLikes,
    members: ['who_liked'],
    own: ({ profileId }) => eq(postLikes.whoLiked, profileId),
    exported: whole,
    deletion: { kind: 'likes' },
  },
  {
    table: saves,
    members: ['user_id'],
    own: ({ profileId }) => eq(saves.userId, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    table: posts,
    members: ['creator_id'],
    own: ({ profileId }) => eq(posts.creatorId, profileId),
    exported: { without: ['number'] },
    deletion: deleted,
  },
  {
    table: postSearch,
    members: ['creator_id'],
    own: ({ profileId }) => eq(postSearch.creatorId, profileId),
    exported: { none: 'Its words are those of the posts.' },
    deletion: deleted,
  },
  {
    table: verifications,
    members: ['user_id'],
    own: ({ profileId }) => eq(verifications.userId, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    // Triggers count them.
    table: reviewLikes,
    members: ['who_liked'],
    own: ({ profileId }) => eq(reviewLikes.whoLiked, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    table: reviewComments,
    members: ['creator_id'],
    own: ({ profileId }) => eq(reviewComments.creatorId, profileId),
    exported: whole,
    deletion: deleted,
  },
  {
    table: reviewPhotos,
    members: [],
    own: ({ profileId }) =>
      inArray(
        reviewPhotos.reviewId,
        sql`(select ${reviews.id} from ${reviews} where ${eq(reviews.creatorId, profileId)})`,
      ),
    exported: whole,
    deletion: deleted,
  },
  {
    // The stars stay: the average of the other member counts them.
    table: reviews,
    members: ['creator_id', 'owner_id'],
    own: ({ profileId }) => eq(reviews.creatorId, profileId),
    exported: whole,
    deletion: { kind: 'emptied', set: { caption: '', location: '', tags: sql`'{}'::text[]` } },
  },
];
