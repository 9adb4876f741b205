import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { likeableReviews } from './likes.ts';

/** Jobs of this feature. */
export const reviewTasks = (context: Pick<Platform, 'database' | 'bus'>) =>
  tasks.notifyReviewLikes.handledBy(({ recordId }) => likeableReviews.notifyAuthor(context, recordId));
