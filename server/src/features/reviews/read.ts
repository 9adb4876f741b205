import { pageSize } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import type { Review } from '@tara/contract/reviews';
import { and, eq } from 'drizzle-orm';
import { keyset, presentPage, readCursor } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import { Problem } from '../../platform/problem.ts';
import { presentReview } from './present.ts';
import { selectReviews } from './select.ts';
import { reviews } from './tables.ts';

/** One review; reviews are readable by every member (decisions §2). @throws Problem `review_not_found`. */
export async function readReview(database: Database, id: string): Promise<Review> {
  const [row] = await selectReviews(database).where(eq(reviews.id, id));
  if (!row) throw new Problem('review_not_found');
  return presentReview(row);
}

/** The reviews about one member, newest first, 10 a page (§7). @throws Problem `general_cursor_not_found`. */
export async function reviewsByOwner(
  database: Database,
  ownerId: string,
  cursor: string | undefined,
): Promise<PageOf<Review>> {
  const { where, orderBy } = keyset(reviews.createdAt, reviews.id, readCursor(cursor), 'desc');
  const rows = await selectReviews(database)
    .where(and(eq(reviews.ownerId, ownerId), where))
    .orderBy(...orderBy)
    .limit(pageSize.reviews + 1);
  return presentPage(rows, pageSize.reviews, presentReview, ({ review }) => ({
    at: review.createdAt,
    id: review.id,
  }));
}
