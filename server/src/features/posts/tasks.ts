import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { likeablePosts } from './likes.ts';

/** Jobs of this feature. */
export const postTasks = (context: Pick<Platform, 'database' | 'bus'>) =>
  tasks.notifyPostLikes.handledBy(({ recordId }) => likeablePosts.notifyAuthor(context, recordId));
