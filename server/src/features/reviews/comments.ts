import { pageSize } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import { type NewReviewComment, type ReviewComment, reviewCommentCan } from '@tara/contract/plans/reviews';
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { readPage } from '../../platform/cursor.ts';
import { wholeRow } from '../../platform/database/columns.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { refuseAs } from '../../platform/database/constraint.ts';
import { lastRow } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { files, pictureColumns } from '../files/index.ts';
import { notify } from '../notifications/index.ts';
import { personColumns, profiles } from '../profiles/index.ts';
import { contentVisibleTo, memberCan, visibleTo } from '../visibility/index.ts';
import { announceComment, announceTotalComments, presentComment } from './present.ts';
import { getReview, readReview, reviewVisibleTo } from './read.ts';
import { reviewComments, reviews } from './tables.ts';

type ReviewContext = Pick<Platform, 'database' | 'bus'>;

/** The condition of the comments that a viewer may read; their review is joined. */
export const commentVisibleTo = (viewer: Viewer) =>
  and(reviewVisibleTo(viewer), visibleTo(viewer, reviewComments.creatorId));

/** The condition of lists of comments; their review is joined. */
export const commentListedFor = (viewer: Viewer) =>
  and(reviewVisibleTo(viewer), contentVisibleTo(viewer, reviewComments.creatorId));

/** Comments with their authors and their review's total, in one statement. */
const selectComments = (database: Database | Transaction) =>
  database
    .select({
      comment: getTableColumns(reviewComments),
      creator: personColumns(profiles),
      creatorPicture: pictureColumns(files),
      review: {
        id: reviews.id,
        creatorId: reviews.creatorId,
        ownerId: reviews.ownerId,
        totalComments: reviews.totalComments,
      },
    })
    .from(reviewComments)
    .innerJoin(reviews, eq(reviews.id, reviewComments.reviewId))
    .innerJoin(profiles, eq(profiles.id, reviewComments.creatorId))
    .leftJoin(files, eq(files.id, profiles.imageId))
    .$dynamic();

/** A comment as `presentComment` takes it. */
export type CommentRow = Awaited<ReturnType<typeof selectComments>>[number];

/**
 * The comments on one review, newest first, 10 a page (§7).
 * @throws Problem `review_not_found`, `general_cursor_not_found`
 */
export async function listComments(
  database: Database,
  viewer: Viewer,
  reviewId: string,
  cursor: string | undefined,
): Promise<PageOf<ReviewComment>> {
  const page = await readPage(cursor, {
    size: pageSize.comments,
    sortedBy: { time: reviewComments.createdAt, id: reviewComments.id },
    query: selectComments(database),
    where: and(eq(reviewComments.reviewId, reviewId), commentListedFor(viewer)),
    present: presentComment,
    toCursor: ({ comment }) => ({ at: comment.createdAt, id: comment.id }),
  });
  // Only an empty first page can be that of no review.
  if (page.items.length === 0 && cursor === undefined) await getReview(database, viewer, reviewId);
  return page;
}

/**
 * Stores a comment of the viewer; sent again with the same `clientKey` it returns the stored one.
 * @throws Problem `review_not_found`, `document_already_exists` for an `id` that is taken
 */
export async function createComment(
  { database, bus }: ReviewContext,
  viewer: Viewer,
  { reviewId, body, clientKey = newId() }: NewReviewComment,
  id = newId(),
): Promise<{ comment: ReviewComment; totalComments: number }> {
  const { row, isNew } = await database.transaction(async (transaction) => {
    const isNew = await insertComment(transaction, viewer, { id, reviewId, body, clientKey });
    const [row] = await selectComments(transaction).where(
      and(
        eq(reviewComments.reviewId, reviewId),
        eq(reviewComments.creatorId, viewer.profileId),
        eq(reviewComments.clientKey, clientKey),
        reviewVisibleTo(viewer),
      ),
    );
    if (!row) throw new Problem('review_not_found');
    if (isNew) await notifyComment(transaction, row);
    return { row, isNew };
  });
  const comment = presentComment(row);
  const { totalComments } = row.review;
  if (isNew) {
    announceComment(bus, { change: 'create' }, comment, row.review);
    announceTotalComments(bus, row.review, totalComments);
  }
  return { comment, totalComments };
}

/** Notifies the two whom the review is by and about, but for the one who wrote the comment. */
async function notifyComment(transaction: Transaction, { comment, review }: CommentRow): Promise<void> {
  for (const [side, profileId] of [
    ['creator', review.creatorId],
    ['owner', review.ownerId],
  ] as const) {
    if (profileId === comment.creatorId) continue;
    await notify(transaction, {
      event: 'comment',
      to: { profileId },
      recordId: comment.id,
      actorId: comment.creatorId,
      details: { reviewId: review.id, side },
    });
  }
}

/** False when the comment was stored before, or there is no such review; its caller refuses a review that is hidden. */
async function insertComment(
  transaction: Transaction,
  viewer: Viewer,
  { id, reviewId, body, clientKey }: Required<NewReviewComment> & { id: string },
): Promise<boolean> {
  const statement = sql`
    insert into ${reviewComments} (id, review_id, creator_id, client_key, body)
    select ${id}, ${reviews.id}, ${viewer.profileId}, ${clientKey}, ${body} from ${reviews}
    where ${eq(reviews.id, reviewId)}
    on conflict (review_id, creator_id, client_key) do nothing returning 1`;
  const added = await transaction.execute(statement).catch(
    refuseAs({
      // Removed while it was being commented on.
      review_comments_review_id_fkey: 'review_not_found',
      review_comments_pkey: 'document_already_exists',
    }),
  );
  return added.length > 0;
}

/**
 * Deletes a comment of the viewer.
 * @throws Problem `comment_not_found`; `user_unauthorized` for another's, which every member may read
 */
export async function deleteComment(
  { database, bus }: ReviewContext,
  viewer: Viewer,
  id: string,
): Promise<void> {
  const { comment, row, review } = await database.transaction(async (transaction) => {
    const [own] = await transaction
      .select({
        id: reviewComments.id,
        reviewId: reviewComments.reviewId,
        creatorId: reviewComments.creatorId,
        row: wholeRow(reviewComments),
      })
      .from(reviewComments)
      .where(eq(reviewComments.id, id))
      .for('update');
    if (!own || !memberCan.see(viewer, own.creatorId)) throw new Problem('comment_not_found');
    const { row, ...comment } = own;
    if (!reviewCommentCan.delete(viewer.profileId, comment)) throw new Problem('user_unauthorized');
    await transaction.delete(reviewComments).where(eq(reviewComments.id, id));
    return { comment, row, review: await readReview(transaction, viewer, comment.reviewId) };
  });
  announceComment(bus, { change: 'delete', last: lastRow(reviewComments, row) }, comment, review);
  announceTotalComments(bus, review, review.totalComments);
}
